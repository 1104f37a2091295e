package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.ResultFile;

/** Lengths that are multiples of the training length, with models of 16 and of 32 tokens. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiplesIT {
  private static final String PROTOCOLS =
      "--set=protocols=[{name: aligned, samples: 7}, {name: non-overlapping, samples: 3}]";

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainTwoModels() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.train("short", "{scheme: alibi}");
    tiny.train("long", "{scheme: alibi}\ntraining: {length: 32}");
  }

  private static String[] measure(String command, String output, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                command,
                tiny.checkpoint("short"),
                tiny.checkpoint("long"),
                tiny.data(),
                tiny.option("--output", output)));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  /** The sum and the targets of each result, by protocol, run and length. */
  private static Map<String, List<Object>> results(String output) throws IOException {
    Map<String, List<Object>> results = new TreeMap<>();
    for (EvaluationResult result : ResultFile.EVALUATIONS.values(tiny.resolve(output))) {
      results.put(
          "%s %s %s".formatted(result.protocol().label(), result.run(), result.length()),
          List.of(result.sums().sum(), result.targetsSha256()));
    }
    return results;
  }

  @Test
  void eachModelIsMeasuredAtItsOwnLengthsOnTheWindowsOfAll() throws IOException {
    String[] multiples = measure("evaluate", "own", "--lengths=2x,1x,0.5x", PROTOCOLS);
    commands.run(multiples);
    Map<String, List<Object>> own = results("own");
    assertThat(own.keySet())
        .containsExactly(
            "aligned long 16",
            "aligned long 32",
            "aligned long 64",
            "aligned short 16",
            "aligned short 32",
            "aligned short 8",
            "non-overlapping long 16",
            "non-overlapping long 32",
            "non-overlapping long 64",
            "non-overlapping short 16",
            "non-overlapping short 32",
            "non-overlapping short 8");
    commands.run(measure("evaluate", "all", "--lengths=8,16,32,64", PROTOCOLS));
    assertThat(results("all")).containsAllEntriesOf(own);

    commands.run(multiples); // finished already
    assertThat(tiny.resolve("own/measurement.json"))
        .content()
        .contains("\"lengths\" : [ \"0.5x\", \"1x\", \"2x\" ]", "\"longest\" : 64");
    String[] others = measure("evaluate", "own", "--lengths=2x,1x", PROTOCOLS);
    assertThat(commands.fail(2, others)).contains("another finished measurement", "lengths");
  }

  @Test
  void baselinesScoreTheTargetsOfAllModels() throws IOException {
    commands.run(
        measure("evaluate", "based", "--lengths=1x,2x", "--baseline=kneser-ney-2", PROTOCOLS));
    Map<String, List<Object>> results = results("based");
    for (int length : List.of(16, 32, 64)) {
      assertThat(Objects.requireNonNull(results.get("aligned kneser-ney-2 " + length)).get(1))
          .isEqualTo(
              Objects.requireNonNull(
                      results.get(
                          "aligned %s %s".formatted(length == 16 ? "short" : "long", length)))
                  .get(1));
    }
  }

  @Test
  void receptiveFieldsHaveMultiplesToo() throws IOException {
    commands.run(measure("receptive-field", "fields", "--length=0.5x,1x", "--samples=3"));
    assertThat(ResultFile.RECEPTIVE_FIELDS.values(tiny.resolve("fields")))
        .extracting(result -> result.run() + " " + result.length())
        .containsExactly("short 8", "short 16", "long 16", "long 32");
  }

  @Test
  void wrongMultiplesLeaveNothing() {
    assertThat(commands.fail(2, measure("evaluate", "never", "--lengths=2y")))
        .contains("--lengths: expected lengths of at least 1", "such as 2x or 0.5x, found 2y");
    assertThat(commands.fail(2, measure("evaluate", "never", "--lengths=0.05x")))
        .contains("lengths of at least 2 tokens, for the protocol aligned, found 1");
    assertThat(
            commands.fail(2, measure("receptive-field", "never", "--length=0.01x", "--samples=2")))
        .contains(
            "multiples that are from 1 to", "found 0.01x, 0 tokens at a training length of 16");
    assertThat(tiny.resolve("never")).doesNotExist();
  }

  /** Each run of an experiment has a folder of its own, but the windows of all runs. */
  @Test
  void theRunsOfAnExperimentShareTheirWindows() throws IOException {
    tiny.write("brief.yaml", "name: brief\nposition: {scheme: alibi}\n");
    tiny.write(
        "wide.yaml", "name: wide\nposition: {scheme: rope, base: 10000}\ntraining: {length: 32}\n");
    tiny.writeExperiment("[1]", "brief", "wide");
    commands.run(
        tiny.experiment(
            "out",
            "--set=experiment.measurements.0.lengths=[1x, 2x]",
            "--set=experiment.measurements.0.position_scaling=[none, linear]",
            "--set=experiment.measurements.1.lengths=[1x]"));
    Map<String, List<Object>> brief = results("out/runs/brief-seed1/evaluation");
    Map<String, List<Object>> wide = results("out/runs/wide-seed1/evaluation");
    assertThat(brief.keySet()).containsExactly("aligned brief 16", "aligned brief 32");
    assertThat(wide.keySet())
        .containsExactly(
            "aligned wide 32",
            "aligned wide 64",
            "aligned wide-interpolation 32",
            "aligned wide-interpolation 64");
    Map<String, List<Object>> baselines = results("out/runs/baselines");
    assertThat(baselines.keySet().stream().filter(key -> key.endsWith("kneser-ney-3 64")))
        .hasSize(1);
    assertThat(
            List.of(brief, wide, baselines).stream()
                .flatMap(results -> results.values().stream())
                .map(result -> result.get(1))
                .collect(Collectors.toSet()))
        .as("aligned targets are the same at all lengths")
        .hasSize(1);
    assertThat(Files.readString(tiny.resolve("out/report/table.md")))
        .contains("## Bits per byte against length, aligned protocol");
  }
}
