package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.ResultFile;

/** Commands on a classifier of strings. */
class StringsIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAClassifier() throws IOException {
    Files.writeString(
        folder.resolve("tomita.yaml"),
        """
        extends: [%s/regular/parity-regulargpt-2.yaml]
        name: tomita
        task: {name: tomita_4, lengths: [1, 6]}
        model: {width: 16, heads: 2}
        training:
          batch: 16
          micro_batch: 16
          steps: 4
          validation: {interval: 4, sequences: 6}
        """
            .formatted(CommandRunner.HOME.resolve("conf")));
    new CommandRunner().run("train", config(), output("run"));
  }

  private static String config() {
    return "--config=" + folder.resolve("tomita.yaml");
  }

  private static String output(String name) {
    return "--output=" + folder.resolve(name);
  }

  private static String checkpoint() {
    return "--checkpoint=" + folder.resolve("run");
  }

  @Test
  void dryRunPrintsTheLengthsOfTheTask() {
    assertThat(commands.run("train", config(), output("dry"), "--dry-run"))
        .contains("in 4 steps of 16 x 1 to 6");
  }

  @Test
  void taskHasNoData() {
    assertThat(commands.fail(2, "train", config(), output("data"), "--data=shards"))
        .contains("--data: expected no data, because tomita_4 draws its own strings");
    String text = "--config=" + CommandRunner.HOME.resolve("conf/train/alibi.yaml");
    assertThat(commands.fail(2, "train", text, output("text"), "--set=training.device=cpu"))
        .contains("--data: expected a shard folder");
  }

  @Test
  void inspectNamesTaskAndLabels() {
    assertThat(commands.run("inspect", folder.resolve("run").toString()))
        .contains("tomita_4, 2 symbols, 2 labels")
        .doesNotContain("end of text");
  }

  @Test
  void commandsOfLanguageModelsRejectAClassifier() {
    String tokens = "--tokens=" + folder.resolve("none.json");
    for (String[] words :
        new String[][] {
          {"score", checkpoint(), tokens},
          {"generate", checkpoint(), "--prompt=x"},
          {"export", checkpoint(), "--format=gpt2", output("gpt2")}
        }) {
      assertThat(commands.fail(2, words))
          .as(words[0])
          .contains(
              "expected a language model, found a classifier of strings, trained on tomita_4");
    }
  }

  @Test
  void evaluateMeasuresTheAccuracyAtEveryLength() throws IOException {
    String[] words = {
      "evaluate", checkpoint(), "--lengths=1..6,20..30:5", "--samples=10", output("results/one")
    };
    String lines = commands.run(words);
    assertThat(lines.lines()).hasSize(10);
    assertThat(lines)
        .contains("tomita seed 1, uniform at 25: accuracy ", " in 10 strings, 95 % interval ")
        .contains("tomita seed 1, uniform, mean of 9 lengths: accuracy ", " in 90 strings");
    assertThat(Files.readAllLines(folder.resolve("results/one/accuracy.jsonl"))).hasSize(9);
    assertThat(commands.run(words)).isEqualTo(lines);

    commands.run("report", "--results=" + folder.resolve("results"), output("report"));
    assertThat(Files.readAllLines(folder.resolve("report/accuracy.csv"))).hasSize(10);
    assertThat(folder.resolve("report/table.md"))
        .content()
        .contains("## Accuracy on strings", "| tomita | tomita_4 | uniform | 1–6 (6) | 1 |");
    assertThat(folder.resolve("report/accuracy-tomita_4-uniform.svg")).isNotEmptyFile();
  }

  @Test
  void everyNumberCanBeCountedFromPredictionsAndPrintedStrings() throws IOException {
    commands.run(
        "evaluate",
        checkpoint(),
        "--lengths=5,25",
        "--samples=40",
        "--set=negatives=[uniform, near]",
        output("counted"));
    List<AccuracyResult> results = ResultFile.ACCURACIES.values(folder.resolve("counted"));
    List<String> predictions = Files.readAllLines(folder.resolve("counted/predictions.jsonl"));
    assertThat(results).hasSize(4);
    assertThat(predictions).hasSize(4);
    for (int i = 0; i < results.size(); i++) {
      JsonNode line = MAPPER.readTree(predictions.get(i));
      assertThat(line.get("run").asText() + line.get("seed") + line.get("task").asText())
          .isEqualTo("tomita1tomita_4");
      List<String> strings =
          commands
              .run(
                  "task",
                  "--name=tomita_4",
                  "--count=40",
                  "--seed=2023",
                  "--negatives=" + line.get("negatives").asText(),
                  "--length=" + line.get("length"),
                  "--json")
              .lines()
              .toList();
      assertThat(line.get("predicted")).hasSize(40);
      long errors = 0;
      for (int s = 0; s < 40; s++) {
        JsonNode label = MAPPER.readTree(strings.get(s)).get("label");
        errors += label.equals(line.get("predicted").get(s)) ? 0 : 1;
      }
      AccuracyResult result = results.get(i);
      assertThat(result.strings().length()).isEqualTo(line.get("length").asInt());
      assertThat(result.share(0).errors()).isEqualTo(errors);
    }
  }

  @Test
  void optionsOfTextsAreWrongUsageForAClassifier() {
    for (String[] option :
        new String[][] {
          {"--data=shards", "--data: expected no data"},
          {"--protocol=aligned", "--protocol: expected no protocol"},
          {"--within-document", "--within-document: expected no protocol"},
          {"--baseline=kneser-ney-3", "--baseline: expected none"},
          {"--position-scaling=ntk", "--position-scaling: expected none"},
          {"--set=negatives=[near, near]", "negatives"},
          {"--set=p=[0.7]", "p for parity_check"}
        }) {
      assertThat(
              commands.fail(2, "evaluate", checkpoint(), "--lengths=4", output("wrong"), option[0]))
          .contains(option[1]);
    }
    assertThat(commands.fail(2, "evaluate", checkpoint(), "--lengths=4,0", output("wrong")))
        .contains("--lengths: expected lengths of at least 1, such as 512, 41..500", "found 0");
  }

  @Test
  void experimentOnStringsNeedsNoData() throws IOException {
    Files.writeString(
        folder.resolve("alibi.yaml"), "name: strings-alibi\nposition: {scheme: alibi}\n");
    Files.writeString(
        folder.resolve("experiment.yaml"),
        """
        extends: [%s/base.yaml]
        task: {name: parity_check, lengths: [1, 4]}
        model: {layers: 1, width: 8, heads: 2, norm: post, activation: relu}
        training:
          batch: 4
          micro_batch: 4
          steps: 2
          precision: float32
          device: cpu
        experiment:
          columns: [alibi.yaml]
          seeds: [1, 2]
          measurements:
            - kind: accuracy
              lengths: [1..3, 9]
              samples: 6
              negatives: [uniform]
              p: [0.5, 0.9]
              seed: 1
              memory_limit_megabytes: 64
              precision: float32
              device: cpu
            - {kind: states, length: 9, samples: 1, seed: 1, precision: float32, device: cpu}
        """
            .formatted(CommandRunner.HOME.resolve("conf")));
    commands.run("run", "--config=" + folder.resolve("experiment.yaml"), output("experiment"));
    assertThat(Files.readAllLines(folder.resolve("experiment/report/accuracy.csv")))
        .hasSize(1 + 2 * 2 * 4);
    assertThat(folder.resolve("experiment/runs/strings-alibi-seed1/states")).doesNotExist();
  }

  @Test
  void anExperimentHasColumnsOfSeveralTasks() throws IOException {
    Files.writeString(
        folder.resolve("tasks.yaml"),
        """
        extends: [%1$s/regular/base.yaml, %1$s/regular/models/regulargpt-2.yaml]
        model: {width: 8, heads: 2}
        task: {lengths: [1, 4]}
        training: {batch: 4, micro_batch: 4, steps: 2, validation: {interval: 2, sequences: 4}}
        experiment:
          columns:
            - {name: tree, vary: {task.name: [parity_check, d_2]}}
          seeds: [1, 2]
          measurements:
            - kind: accuracy
              tasks: [parity_check]
              lengths: [4, 9]
              samples: 6
              negatives: [uniform]
              p: [0.5, 0.9]
              seed: 1
              precision: float32
              device: cpu
            - kind: accuracy
              tasks: [d_2]
              lengths: [8]
              samples: 6
              negatives: [uniform, near]
              p: [0.5]
              seed: 1
              precision: float32
              device: cpu
            - {kind: states, tasks: [d_2], length: 9, samples: 1, seed: 1, precision: float32, device: cpu}
            - kind: receptive-field
              tasks: [parity_check]
              lengths: [9]
              samples: 2
              seed: 1
              position_scaling: [none]
              precision: float32
              device: cpu
        """
            .formatted(CommandRunner.HOME.resolve("conf")));
    String config = "--config=" + folder.resolve("tasks.yaml");
    commands.run("run", config, output("tasks"), "--only=tree-d_2-seed2");
    Path runs = folder.resolve("tasks/runs");
    Object first = Files.getLastModifiedTime(runs.resolve("tree-d_2-seed2/accuracy/DONE"));
    assertThat(runs.resolve("tree-d_2-seed2/states/DONE")).exists();
    assertThat(runs.resolve("tree-d_2-seed2/receptive-field")).doesNotExist();
    commands.run("run", config, output("tasks"));
    assertThat(Files.getLastModifiedTime(runs.resolve("tree-d_2-seed2/accuracy/DONE")))
        .isEqualTo(first);
    assertThat(runs.resolve("tree-parity_check-seed1/receptive-field/DONE")).exists();
    assertThat(runs.resolve("tree-parity_check-seed1/states")).doesNotExist();
    assertThat(folder.resolve("tasks/report/table.md"))
        .content()
        .contains(
            "| d_2 | near | RegularGPT C = 2 | 8 | 2 |",
            "| d_2 | uniform | RegularGPT C = 2 | 8 | 2 |",
            "| parity_check | uniform | RegularGPT C = 2 | 9 | 2 |",
            "## Table 2: PARITY with other probabilities of b",
            "| model | lengths | rows | p = 0.5 | p = 0.9 |");
  }

  @Test
  void perplexityOfARunOnStringsIsRejectedBeforeTraining() throws IOException {
    Files.writeString(
        folder.resolve("perplexity.yaml"),
        """
        extends: [tomita.yaml]
        experiment:
          columns: [tomita.yaml]
          seeds: [1]
          measurements:
            - kind: perplexity
              lengths: [8]
              protocols: [{name: aligned, samples: 5}]
              seed: 1
              within_document: false
              position_scaling: [none]
              precision: float32
              device: cpu
        """);
    assertThat(
            commands.fail(
                2, "run", "--config=" + folder.resolve("perplexity.yaml"), output("of-strings")))
        .contains("tomita: expected a run on a text, for the measurement perplexity");
  }

  @Test
  void receptiveFieldOfAClassifierNeedsNoData() throws IOException {
    String[] words = {
      "receptive-field", checkpoint(), "--length=9,33", "--samples=4", output("field/results")
    };
    String lines = commands.run(words);
    assertThat(lines.lines()).hasSize(4);
    assertThat(lines).contains("tomita seed 1 at 33, untrained: of the gradient 50 % within ");
    assertThat(commands.run(words)).isEqualTo(lines);
    String line = Files.readAllLines(folder.resolve("field/results/receptive-fields.jsonl")).get(1);
    assertThat(line).contains("\"task\":\"tomita_4\",\"length\":33", "\"tenths\":[");
    commands.run("report", "--results=" + folder.resolve("field"), output("field/report"));
    assertThat(folder.resolve("field/report/table.md"))
        .content()
        .contains(
            "## Effective receptive field over 33 symbols of tomita_4",
            "## Share of each tenth of 33 symbols of tomita_4");
    assertThat(folder.resolve("field/report/receptive-field-tomita_4-33.svg")).isNotEmptyFile();
    assertThat(
            commands.fail(
                2,
                "receptive-field",
                checkpoint(),
                "--data=shards",
                "--length=4",
                "--samples=2",
                output("field/data")))
        .contains("--data: expected no data");
  }

  @Test
  void receptiveFieldNeedsALengthOfTheTask() throws IOException {
    commands.run(
        "train",
        config(),
        output("arithmetic"),
        "--set=task.name=modular_arithmetic",
        "--set=name=arithmetic");
    assertThat(
            commands.fail(
                2,
                "receptive-field",
                "--checkpoint=" + folder.resolve("arithmetic"),
                "--length=9",
                "--samples=2",
                output("odd")))
        .contains(
            "length 9: expected a length of the strings of modular_arithmetic",
            "found strings of 10 symbols");
  }

  @Test
  void modelOfAnAutomatonIsACheckpointWithoutErrors() throws IOException {
    Files.writeString(
        folder.resolve("mine.yaml"),
        "symbols: [a, b]\ntransitions: [[0, 1], [1, 2], [2, 0]]\nlabels: [0, 1, 2]\n");
    String own = "--automaton=" + folder.resolve("mine.yaml");
    commands.run("automaton", "--name=cycle_navigation", "--chunk=3", output("exact/cycle"));
    commands.run("automaton", own, "--chunk=2", "--width=64", "--heads=4", output("exact/own"));
    assertThat(commands.run("inspect", folder.resolve("exact/own").toString()))
        .contains("run          exact-automaton-2", "2 symbols, 3 labels");
    String lines =
        commands.run(
            "evaluate",
            "--checkpoint",
            folder.resolve("exact/cycle").toString(),
            folder.resolve("exact/own").toString(),
            "--lengths=1..9,40..1000:120",
            "--samples=6",
            output("exact/results"));
    assertThat(lines)
        .contains("exact-cycle_navigation-3 seed 0, uniform, mean of 18 lengths")
        .contains("exact-automaton-2 seed 0, uniform, mean of 18 lengths");
    assertThat(lines.lines())
        .hasSize(2 * 19)
        .allMatch(line -> line.contains("accuracy 100.00 % (0 errors in "));
  }

  @Test
  void outputsOfAnExactModelAreAsManyAsTheMaps() throws IOException {
    String[][] tasks = {
      {"parity_check", "2 different, of 2 maps"}, {"cycle_navigation", "5 different, of 5 maps"}
    };
    for (String[] task : tasks) {
      String model = "states/exact-" + task[0];
      commands.run("automaton", "--name=" + task[0], "--chunk=2", output(model));
      String checkpoint = "--checkpoint=" + folder.resolve(model);
      String lines =
          commands.run(
              "states",
              checkpoint,
              "--length=500",
              "--samples=2",
              output("states/results/" + task[0]));
      assertThat(lines.lines()).hasSize(2);
      assertThat(lines.lines().findFirst().orElseThrow())
          .contains("trained: 1,002 outputs, " + task[1])
          .contains(
              "; 1.000 nearest to the mean of their own map; distance within / between maps 0.000");
    }
    commands.run(
        "report", "--results=" + folder.resolve("states/results"), output("states/report"));
    assertThat(folder.resolve("states/report/table.md"))
        .content()
        .contains(
            "| exact-parity_check-2 | parity_check | 0 | trained | 500 | 2 | 1,002 | 2 | 2 | 1.000"
                + " |");
    assertThat(folder.resolve("states/report/states-exact-cycle_navigation-2-500-trained.svg"))
        .isNotEmptyFile();
    assertThat(folder.resolve("states/report/states-exact-cycle_navigation-2-500-untrained.svg"))
        .isNotEmptyFile();
  }

  @Test
  void automatonThatDoesNotFitIsWrongUsage() {
    assertThat(commands.fail(2, "automaton", "--name=d_12", "--chunk=2", output("no")))
        .contains("a width of at least 392", "found width 256 and 8 heads");
    assertThat(commands.fail(2, "automaton", "--name=d_13", "--chunk=2", output("no")))
        .contains("--name: expected one of", "did you mean");
    assertThat(commands.fail(2, "automaton", "--name=d_2", "--chunk=1", output("no")))
        .contains("--chunk: expected at least 2");
  }

  @Test
  void importedClassifierKeepsItsTask() {
    commands.run("export", checkpoint(), "--format=safetensors", output("moved"));
    commands.run("import", "--checkpoint=" + folder.resolve("moved"), output("imported"));
    assertThat(
            commands.run(
                "evaluate",
                "--checkpoint=" + folder.resolve("imported"),
                "--lengths=5",
                "--samples=4",
                output("of-imported")))
        .contains("at 5: accuracy");
  }

  @Test
  void accuracyOfARunOnATextIsRejectedBeforeTraining() throws IOException {
    Files.writeString(
        folder.resolve("text.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml]
        training: {device: cpu}
        experiment:
          columns: [%1$s/position/alibi.yaml]
          seeds: [1]
          measurements:
            - kind: accuracy
              lengths: [3]
              samples: 6
              negatives: [uniform]
              p: [0.5]
              seed: 1
              precision: float32
              device: cpu
        """
            .formatted(CommandRunner.HOME.resolve("conf")));
    assertThat(
            commands.fail(2, "run", "--config=" + folder.resolve("text.yaml"), output("of-text")))
        .contains(
            "alibi: expected a run on the strings of a regular task, for the measurement accuracy");
  }

  @Test
  void classifierIsExportedWithItsDescription() throws IOException {
    commands.run("export", checkpoint(), "--format=safetensors", output("exported"));
    assertThat(Files.size(folder.resolve("exported/model.safetensors"))).isPositive();
  }
}
