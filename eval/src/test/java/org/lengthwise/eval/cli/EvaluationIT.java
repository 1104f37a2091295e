package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.result.EvaluationFile;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.NllFile;
import org.lengthwise.eval.result.ScoredTargets;

/** Evaluations of several checkpoints, protocols and lengths through the command line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class EvaluationIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int END_OF_TEXT = 256;
  private static final String ALL = "--protocol=aligned,independent,%s,non-overlapping,by-position";

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void trainTwoModels() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Random random = new Random(1);
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 120; document++) {
      int length = document % 4 == 0 ? 200 + random.nextInt(200) : 1 + random.nextInt(40);
      char[] text = new char[length];
      Arrays.fill(text, (char) ('a' + document % 26));
      text[random.nextInt(length)] = '.';
      Files.writeString(folder.resolve("text/" + document + ".txt"), new String(text));
    }
    Files.writeString(
        folder.resolve("strides.yaml"), "{name: sliding-window, chunks: 9, stride: 4}");
    run(
        0,
        "prepare",
        option("--input", "text"),
        option("--output", "shards"),
        "--tokenizer=bytes",
        "--set=split.train=0.3",
        "--set=split.validation=0.1",
        "--set=split.test=0.6");
    train("alibi");
    train("regulargpt-8-2");
  }

  private void train(String scheme) throws IOException {
    Files.writeString(
        folder.resolve(scheme + ".yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml, %1$s/position/%2$s.yaml]
        model: {layers: 2, width: 32, heads: 2}
        training:
          length: 16
          batch: 2
          micro_batch: 2
          steps: 2
          precision: float32
          device: cpu
          validation: {sequences: 2}
        """
            .formatted(HOME.resolve("conf"), scheme));
    run(
        0,
        "train",
        option("--config", scheme + ".yaml"),
        option("--data", "shards"),
        option("--output", scheme));
  }

  private void run(int code, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    int found =
        Lengthwise.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    assertThat(found).as("%s: %s", String.join(" ", arguments), err).isEqualTo(code);
  }

  private static String option(String option, String name) {
    return option + "=" + folder.resolve(name);
  }

  private static String[] evaluate(String output, String... options) {
    List<String> arguments = new ArrayList<>(List.of("evaluate"));
    arguments.add(option("--checkpoint", "alibi"));
    arguments.add(option("--checkpoint", "regulargpt-8-2"));
    arguments.add(option("--data", "shards"));
    arguments.add(option("--output", output));
    arguments.addAll(List.of(options));
    return arguments.toArray(String[]::new);
  }

  private static List<EvaluationResult> results(String output) throws IOException {
    return EvaluationFile.read(folder.resolve(output)).stream().map(Located::value).toList();
  }

  private static ScoredTargets rows(String output, EvaluationResult result) throws IOException {
    return NllFile.read(folder.resolve(output).resolve(NllFile.nameFor(result))).scored();
  }

  private static String allProtocols() {
    return ALL.formatted(folder.resolve("strides.yaml"));
  }

  @Test
  void everyNumberIsThatOfItsRowsAndRowsArePairedOverModels() throws IOException {
    run(0, evaluate("all", allProtocols(), "--chunks=7", "--lengths=9,33"));
    assertThat(out.toString())
        .contains("alibi seed 1, sliding-window at 9: perplexity", "by-position at 33");
    Map<String, String> targets = new HashMap<>();
    for (EvaluationResult result : results("all")) {
      ScoredTargets rows = rows("all", result);
      double sum = 0;
      double squares = 0;
      for (int row = 0; row < rows.count(); row++) {
        sum += rows.nll(row);
        squares += rows.nll(row) * rows.nll(row);
      }
      assertThat(result.nllSum()).isCloseTo(sum, within(1e-9));
      assertThat(result.nllSquareSum()).isCloseTo(squares, within(1e-9));
      assertThat(result.count()).isEqualTo(rows.count());
      assertThat(rows.leastPosition()).isEqualTo(result.length() - result.scoredPerWindow());
      String cell = result.protocol() + " " + result.length();
      String first = targets.putIfAbsent(cell, result.targetsSha256());
      assertThat(first == null || first.equals(rows.targetsSha256())).as(cell).isTrue();
    }
    assertThat(results("all")).hasSize(2 * 5 * 2);
    assertThat(targets).hasSize(5 * 2);
  }

  @Test
  void withinDocumentsNoWindowHoldsTheEndOfAText() throws IOException {
    run(0, evaluate("inside", allProtocols(), "--chunks=7", "--lengths=9,33", "--within-document"));
    assertThat(out.toString()).contains("aligned within documents at 33");
    assertThat(results("inside")).hasSize(20).allMatch(EvaluationResult::withinDocument);
    try (ShardFolder shards = ShardFolder.open(folder.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      for (EvaluationResult result : results("inside")) {
        ScoredTargets rows = rows("inside", result);
        for (int row = 0; row < rows.count(); row++) {
          int[] context = new int[rows.position(row)];
          test.read(rows.target(row) - context.length, context, 0, context.length);
          assertThat(context).doesNotContain(END_OF_TEXT);
        }
      }
    }
    run(3, evaluate("never", "--lengths=9,1000", "--within-document"));
    assertThat(err.toString())
        .contains("at least 1,000 places where one document holds 1,000 tokens")
        .contains("found 0 such places in 0 of ");
    assertThat(folder.resolve("never")).doesNotExist();
  }

  @Test
  void mistakesAreRefused() {
    run(2, evaluate("never", "--lengths=9", "--protocol=alligned"));
    assertThat(err.toString()).contains("--protocol: expected one of aligned, independent");
    run(2, evaluate("never", "--lengths=9", "--chunks=0"));
    run(2, evaluate("never", "--lengths=9", "--protocol=sliding-window"));
    assertThat(err.toString()).contains("at least 129 tokens, for the protocol sliding-window");
    run(2, evaluate("never", "--lengths=9", option("--checkpoint", "alibi")));
    assertThat(err.toString()).contains("differs from all others").contains("alibi seed 1 step 2");
    assertThat(folder.resolve("never")).doesNotExist();
  }

  @Test
  void killedItGoesOnWithTheCellThatItWasAt() throws Exception {
    String[] options = {allProtocols(), "--chunks=30", "--lengths=9,17,33,65,129"};
    run(0, evaluate("whole", options));
    Process process = start(evaluate("killed", options));
    Path partial = folder.resolve(".killed.partial");
    while (process.isAlive() && lines(partial).isEmpty()) {
      process.waitFor(2, TimeUnit.MILLISECONDS);
    }
    process.destroyForcibly().waitFor();
    List<String> before = lines(partial);
    assertThat(before).hasSizeBetween(1, 2 * 5 * 5 - 1);
    Map<Path, FileTime> times = times(partial.resolve("content"), before.size());

    String[] other = {allProtocols(), "--chunks=31", "--lengths=9,17,33,65,129"};
    run(2, evaluate("killed", other));
    assertThat(err.toString()).contains("another unfinished one").contains(".killed.partial");
    run(0, evaluate("killed", options));
    assertThat(partial).doesNotExist();
    assertThat(Files.readAllLines(folder.resolve("killed/results.jsonl")))
        .isEqualTo(Files.readAllLines(folder.resolve("whole/results.jsonl")))
        .startsWith(before.toArray(String[]::new));
    for (Map.Entry<Path, FileTime> file : times.entrySet()) {
      assertThat(Files.getLastModifiedTime(folder.resolve("killed").resolve(file.getKey())))
          .isEqualTo(file.getValue());
    }
    try (Stream<Path> files = Files.list(folder.resolve("killed"))) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .allMatch(name -> folder.resolve("whole").resolve(name).toFile().isFile())
          .hasSize(2 * 5 * 5 + 3);
    }
  }

  private static List<String> lines(Path partial) throws IOException {
    Path results = partial.resolve("content/results.jsonl");
    return Files.exists(results) ? Files.readAllLines(results) : List.of();
  }

  /** When the rows of the first so many results were written. */
  private static Map<Path, FileTime> times(Path content, int count) throws IOException {
    Map<Path, FileTime> times = new HashMap<>();
    for (Located<EvaluationResult> line : EvaluationFile.read(content).subList(0, count)) {
      Path name = Path.of(NllFile.nameFor(line.value()));
      times.put(name, Files.getLastModifiedTime(content.resolve(name)));
    }
    return times;
  }

  private static Process start(String[] arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m"));
    command.add("-Dlengthwise.home=" + HOME);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Lengthwise.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }
}
