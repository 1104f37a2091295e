package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.recall.RecallTests;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Bin;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.RecallScore;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.interchange.ModelFolder;
import picocli.CommandLine;

/** Commands on models of recall tasks: one that learns an easy task, and one that does not. */
class RecallIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void train() {
    train(
        "learned",
        "flipflop",
        "task.lengths=[2, 2]",
        "training.steps=400",
        "training.stop_when_learned=true");
    train("unlearned", "flipflop", "task.lengths=[8, 8]", "training.steps=2");
    train("passkey", "passkey", "training.steps=2");
    train(
        "rope",
        "flipflop",
        "task.lengths=[16, 16]",
        "training.steps=50",
        "position={scheme: rope, base: 100}");
  }

  private static void train(String name, String task, String... settings) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "train",
                "--config=" + CommandRunner.HOME.resolve("conf/task/" + task + ".yaml"),
                option("--output", "runs/" + name),
                "--set=name=" + name,
                "--set=model.width=16",
                "--set=model.layers=1",
                "--set=training.batch=32",
                "--set=training.micro_batch=32",
                "--set=training.validation={interval: 50, sequences: 64}",
                "--set=optimizer.learning_rate=1.0e-2"));
    List.of(settings).forEach(setting -> words.add("--set=" + setting));
    new CommandRunner().run(words.toArray(String[]::new));
  }

  private static String option(String option, String name) {
    return option + "=" + folder.resolve(name);
  }

  private static List<JsonNode> lines(Path file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }

  private static JsonNode settings(AccuracyResult result) {
    return result.strings().settings();
  }

  private String[] evaluate(String run, String output, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "evaluate",
                option("--checkpoint", "runs/" + run),
                option("--output", output),
                "--set=learned_samples=200"));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  /** YaRN changes nothing up to the training's 16 instructions, which have 32 tokens. */
  @Test
  void positionsBeyondTheTrainingLengthCanBeScaled() throws IOException {
    String printed =
        commands.run(
            evaluate(
                "rope",
                "results/scaled",
                "--lengths=16,80",
                "--samples=50",
                "--position-scaling=none,yarn"));
    assertThat(printed.lines()).hasSize(4);
    assertThat(printed).contains("rope-yarn seed 1, ");
    Map<String, String> predicted = new TreeMap<>();
    for (JsonNode line : lines(folder.resolve("results/scaled/predictions.jsonl"))) {
      if (line.get("stream").asText().equals("test")) {
        predicted.merge(
            line.get("run").asText() + " " + line.get("length"),
            line.get("predicted").toString(),
            String::concat);
      }
    }
    assertThat(predicted).containsOnlyKeys("rope 16", "rope 80", "rope-yarn 16", "rope-yarn 80");
    assertThat(predicted.get("rope-yarn 16")).isEqualTo(predicted.get("rope 16"));
    assertThat(predicted.get("rope-yarn 80")).isNotEqualTo(predicted.get("rope 80"));
  }

  /** The strings are printed by another command; the errors are counted from them anew. */
  @Test
  void everyNumberCanBeCountedFromPredictionsAndPrintedStrings() throws IOException {
    String printed =
        commands.run(
            evaluate(
                "learned",
                "results/one",
                "--lengths=3,40",
                "--samples=50",
                "--set=vary.p=[0.2,0.8]"));
    assertThat(printed.lines()).hasSize(4);
    assertThat(printed).contains("learned seed 1, p 0.2 at 40: tokens ", "the last bit 90.");
    Path results = folder.resolve("results/one");
    Map<String, List<JsonNode>> predictions = new TreeMap<>();
    for (JsonNode line : lines(results.resolve("predictions.jsonl"))) {
      String key = line.get("stream") + "/" + line.get("settings") + "/" + line.get("length");
      predictions.computeIfAbsent(key, any -> new ArrayList<>()).add(line);
    }
    int counted = 0;
    for (AccuracyResult result : ResultFile.ACCURACIES.values(results)) {
      Share tokens = result.share(RecallScore.TOKENS);
      long inBins = result.distances().stream().mapToLong(bin -> bin.count() - bin.right()).sum();
      assertThat(inBins).isEqualTo(tokens.errors());
      if (result.strings().drawn() != Drawn.TEST) {
        continue;
      }
      int length = result.strings().length();
      JsonNode settings = settings(result);
      String strings =
          commands.run(
              "task",
              "--name=flipflop",
              "--length=" + length,
              "--count=50",
              "--seed=2023",
              "--set=task.p=" + settings.get("p"),
              "--json");
      List<JsonNode> found = predictions.get("\"test\"/" + settings + "/" + length);
      assertThat(found).hasSize(50);
      long wrongTokens = 0;
      long wrongStrings = 0;
      Map<Integer, long[]> bins = new TreeMap<>();
      List<String> texts = strings.lines().toList();
      for (int i = 0; i < 50; i++) {
        JsonNode string = MAPPER.readTree(texts.get(i));
        int asked = 0;
        long wrong = 0;
        for (int t = 0; t < string.get("ids").size(); t++) {
          int target = string.get("targets").get(t).asInt();
          if (target >= 0) {
            boolean isWrong = found.get(i).get("predicted").get(asked++).asInt() != target;
            wrong += isWrong ? 1 : 0;
            int distance = string.get("distance").get(t).asInt();
            int bin = 1;
            while (bin < distance) {
              bin *= 2;
            }
            bins.computeIfAbsent(bin, any -> new long[2])[0]++;
            bins.get(bin)[1] += isWrong ? 1 : 0;
          }
        }
        assertThat(found.get(i).get("predicted")).hasSize(asked);
        wrongTokens += wrong;
        wrongStrings += wrong > 0 ? 1 : 0;
      }
      assertThat(tokens.errors()).isEqualTo(wrongTokens);
      assertThat(result.share(0).errors()).isEqualTo(wrongStrings);
      assertThat(result.distances())
          .containsExactlyElementsOf(
              bins.entrySet().stream()
                  .map(e -> new Bin(e.getKey(), e.getValue()[0] - e.getValue()[1], e.getValue()[0]))
                  .toList());
      counted++;
    }
    assertThat(counted).isEqualTo(4);
  }

  @Test
  void interruptedMeasurementResumesWithTheSameFiles() throws IOException {
    RecallTests tests =
        ConfigLoader.load(
                CommandRunner.HOME.resolve("conf/recall.yaml"),
                List.of("samples=20", "learned_samples=40", "lengths=[2..6]"))
            .bind(RecallTests.class);
    var checkpoints = List.of(ModelFolder.open(folder.resolve("runs/learned")));
    ShardSource none = new ShardSource(null);
    tests.measure(checkpoints, none, folder.resolve("whole"), () -> false);
    int[] batches = {0};
    assertThatThrownBy(
            () -> tests.measure(checkpoints, none, folder.resolve("part"), () -> ++batches[0] == 5))
        .isInstanceOf(CancellationException.class);
    assertThat(folder.resolve("part")).doesNotExist();
    tests.measure(checkpoints, none, folder.resolve("part"), () -> false);
    for (String file : List.of("accuracy.jsonl", "predictions.jsonl")) {
      assertThat(folder.resolve("part").resolve(file))
          .hasSameTextualContentAs(folder.resolve("whole").resolve(file));
    }
    try (var files = Files.list(folder.resolve("part"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "accuracy.jsonl", "predictions.jsonl", "measurement.json", "DONE");
    }
  }

  @Test
  void modelThatHasNotLearnedHasNoOtherVerdict() throws IOException {
    assertThat(commands.run(evaluate("learned", "both/learned", "--lengths=2,30", "--samples=60")))
        .contains("at 2: ", ": holds");
    assertThat(
            commands.run(evaluate("unlearned", "both/unlearned", "--lengths=8,30", "--samples=60")))
        .contains("at 30: ", ": not learned")
        .doesNotContain("holds");
    commands.run("report", option("--results", "both"), option("--output", "report"));
    Path report = folder.resolve("report");
    assertThat(report.resolve("table.md"))
        .content()
        .contains("## Right tokens in %, flipflop", ", not learned |", " holds (");
    assertThat(Files.readAllLines(report.resolve("recall.csv")))
        .hasSize(5)
        .filteredOn(line -> line.startsWith("unlearned"))
        .allMatch(line -> line.endsWith(",not learned"));
    assertThat(report.resolve("recall-flipflop.svg")).isNotEmptyFile();
    assertThat(report.resolve("recall-distance-flipflop.png")).isNotEmptyFile();
  }

  @Test
  void heatMapHasTheNumbersOfItsFile() throws IOException {
    commands.run(
        evaluate(
            "passkey", "deep", "--lengths=16,30,48", "--samples=10", "--set=vary.depth=[0,0.5,1]"));
    commands.run("report", option("--results", "deep"), option("--output", "deep-report"));
    Path map = folder.resolve("deep-report/recall-depth-passkey-passkey-seed1.csv");
    List<String> rows = Files.readAllLines(map);
    assertThat(rows).hasSize(4).first().isEqualTo("depth,30,48");
    for (AccuracyResult result : ResultFile.ACCURACIES.values(folder.resolve("deep"))) {
      if (result.strings().drawn() == Drawn.TEST) {
        double depth = settings(result).get("depth").asDouble();
        String[] row = rows.get(1 + (int) (2 * depth)).split(",", -1);
        assertThat(row[0]).isEqualTo(String.valueOf(depth));
        assertThat(Double.parseDouble(row[result.strings().length() == 30 ? 1 : 2]))
            .isEqualTo(result.accuracy());
        assertThat(result.share(2).of()).isEqualTo("decoys");
      }
    }
    assertThat(folder.resolve("deep-report/recall-depth-passkey-passkey-seed1.svg"))
        .content()
        .contains("<svg");
    assertThat(folder.resolve("deep-report/report.html")).content().contains("% of right keys");
  }

  @Test
  void taskPrintsAndLabelsTheSameLines() {
    String[] draw = {
      "task", "--name=mqar", "--length=64", "--count=3", "--seed=1", "--set=task.pairs=8", "--json"
    };
    String lines = commands.run(draw);
    assertThat(lines.lines().findFirst().orElseThrow())
        .startsWith(
            "{\"task\":\"mqar\",\"settings\":{\"keys\":16,\"pairs\":8,\"a\":0.01,\"fillers\":1},"
                + "\"stream\":\"test\",\"seed\":1,\"index\":0,\"length\":64,\"ids\":[");
    assertThat(label(0, "mqar", lines)).isEqualTo(lines);
    assertThat(label(3, "mqar", lines + "{\"ids\":[0,16,32,32]}\n"))
        .contains("line 4, ids[4]: expected a query for each pair, found the end of the string");
    assertThat(commands.fail(2, "task", "--name=mqar", "--label", "--set=pairs=8"))
        .contains("--set pairs=8: expected a key of the task");
    assertThat(commands.fail(2, "task", "--list", "--json")).contains("--list: expected no other");
    assertThat(commands.run("task", "--list"))
        .contains("mqar ", "Arora et al. 2023", "chance 6.25 %", "parity_check");
  }

  /** Runs {@code task --label} with another standard input. */
  private static String label(int code, String name, String lines) {
    var in = new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8));
    var out = new StringWriter();
    CommandLine task =
        new CommandLine(new TaskCommand(in))
            .setOut(new PrintWriter(out, true))
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  out.append(e.getMessage());
                  return e instanceof DataFormatException ? 3 : 1;
                });
    assertThat(task.execute("--name=" + name, "--label")).isEqualTo(code);
    return out.toString();
  }

  /** The configuration names the folder of the files; evaluate knows it from the checkpoint. */
  @Test
  void stringsOfFilesDecideTheirResults() throws IOException {
    Path strings = Files.createDirectory(folder.resolve("own"));
    String line = "{\"ids\":[3,1,%d],\"targets\":[-1,-1,1],\"distance\":[-1,-1,1]}";
    for (String file : List.of("train", "validation", "test")) {
      Files.write(strings.resolve(file + ".jsonl"), List.of(line.formatted(3), line.formatted(2)));
    }
    Path config =
        Files.writeString(
            folder.resolve("own.yaml"),
            "extends: [%s]\nname: own\ntask: {strings: %s}\n"
                .formatted(CommandRunner.HOME.resolve("conf/task/base.yaml"), strings));
    String[] train = {
      "train", "--config=" + config, option("--output", "runs/own"), "--set=training.steps=1"
    };
    commands.run(train);

    assertThat(commands.run(evaluate("own", "own-results", "--lengths=3,4")))
        .contains("own seed 1 at 3: tokens ")
        .doesNotContain("at 4");

    Files.write(strings.resolve("test.jsonl"), List.of(line.formatted(3)));
    assertThat(commands.fail(2, evaluate("own", "own-results", "--lengths=3,4")))
        .contains("own-results: expected an absent folder, or the same measurement");
    Files.write(strings.resolve("test.jsonl"), List.of(line.formatted(7)));
    assertThat(commands.fail(2, evaluate("own", "own-others", "--lengths=3")))
        .contains("the strings of own: expected ids below 4")
        .contains("found an id of 7");
    Files.write(strings.resolve("train.jsonl"), List.of(line.formatted(3), "{}"));
    assertThat(commands.fail(3, train)).contains("train.jsonl:2, ids: expected a list");
  }

  @Test
  void wrongOptionsAreNamed() {
    assertThat(commands.fail(2, evaluate("learned", "wrong", "--lengths=1")))
        .contains("--lengths: expected a length at which flipflop has strings");
    assertThat(commands.fail(2, evaluate("learned", "wrong", "--lengths=3", "--set=vary.q=[1]")))
        .contains("expected settings of flipflop");
    assertThat(commands.fail(2, evaluate("learned", "wrong", "--lengths=3", "--data=x")))
        .contains("--data: expected no data");
    assertThat(commands.fail(2, "task", "--name=mqar", "--length=7", "--count=1", "--seed=1"))
        .contains("--length: expected a length of mqar");
    assertThat(
            commands.fail(
                2,
                "task",
                "--name=mqar",
                "--length=8",
                "--count=1",
                "--seed=1",
                "--set=task.pair=2"))
        .contains("did you mean `pairs`");
  }
}
