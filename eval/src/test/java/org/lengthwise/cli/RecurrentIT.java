package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.measure.MeasuredModel;

/** Recurrent models through the commands, from the experiment file to the report. */
class RecurrentIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static String printed;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void runAnExperiment() throws IOException {
    tiny = new TinyExperiment(folder);
    write(
        "staircase", "{scheme: learned, positions: 128}", "{kind: staircase, chunk: 5, passes: 2}");
    write(
        "states",
        "{scheme: sliding-window, window: 4, within: none}",
        "{kind: block-recurrent, chunk: 4, states: 2, layer: 1}");
    write(
        "dense",
        "{scheme: rope, base: 10000.0}",
        "{kind: block-recurrent, chunk: 4, states: 2, layer: 1}");
    tiny.write("tokens.json", "[" + "97,".repeat(21) + "97]");
    tiny.writeExperiment("[1]", "staircase", "states", "dense");
    try (CapturedLog log = new CapturedLog(MeasuredModel.class)) {
      printed = new CommandRunner().run(tiny.experiment("out"));
      assertThat(log.lines())
          .anyMatch(line -> line.contains("staircase: lengths [16, 64] do not differ by multiples"))
          .noneMatch(line -> line.contains("states: lengths"));
    }
  }

  private static Path write(String name, String position, String recurrence) throws IOException {
    return tiny.write(
        name + ".yaml",
        "name: %s\nposition: %s\nrecurrence: %s\n".formatted(name, position, recurrence));
  }

  private static String checkpoint(String name) {
    return tiny.option("--checkpoint", "out/runs/" + name + "-seed1");
  }

  @Test
  void recurrentModelsAreTrainedMeasuredAndReported() throws IOException {
    assertThat(printed).contains("staircase", "states", "dense");
    assertThat(Files.readString(tiny.resolve("out/report/table.csv")))
        .contains(
            "staircase,learned,1,aligned,64,10,", "states,sliding-window-none,1,aligned,64,10,");
    assertThat(Files.readString(tiny.resolve("out/report/table.md")))
        .contains("| staircase | learned, staircase-5-2 | 16 |");
  }

  @Test
  void inspectShowsCallsInSequenceAndTheTheoreticalField() {
    assertThat(commands.run("inspect", tiny.resolve("out/runs/staircase-seed1").toString()))
        .contains(
            "recurrence   staircase, chunk 5, passes 2, 10 calls in sequence,"
                + " receptive field at most 16 at length 16");
    assertThat(commands.run("inspect", tiny.resolve("out/runs/states-seed1").toString()))
        .contains("block-recurrent, chunk 4, states 2, layer 1, 6 calls in sequence");
  }

  @ParameterizedTest
  @ValueSource(strings = {"staircase", "states", "dense"})
  void scoresAndTextsAreMade(String name) {
    assertThat(commands.run("score", checkpoint(name), tiny.option("--tokens", "tokens.json")))
        .contains("21 tokens, mean NLL");
    commands.run("generate", checkpoint(name), "--prompt=the model", "--tokens=8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"staircase", "states", "dense"})
  void anExportedAndImportedModelHasTheSameScores(String name) {
    String exported = name + "-exported";
    commands.run(
        "export", checkpoint(name), "--format=safetensors", tiny.option("--output", exported));
    commands.run(
        "import", tiny.option("--checkpoint", exported), tiny.option("--output", name + "-back"));
    String tokens = tiny.option("--tokens", "tokens.json");
    assertThat(commands.run("score", tiny.option("--checkpoint", name + "-back"), tokens, "--json"))
        .isEqualTo(commands.run("score", checkpoint(name), tokens, "--json"));
  }

  @Test
  void wrongSettingsOfRecurrentModelsAreNamed() {
    String tokens = tiny.option("--tokens", "tokens.json");
    assertThat(commands.fail(2, "score", checkpoint("dense"), tokens, "--position-scaling=ntk"))
        .contains("position_scaling: expected a list with none, because the positions of dense");
    String nothing = tiny.option("--output", "nothing");
    assertThat(commands.fail(2, "export", checkpoint("staircase"), "--format=gpt2", nothing))
        .contains("--format gpt2: expected a model without recurrence")
        .contains("recurrence staircase-5-2");
    assertThat(
            commands.fail(2, "generate", checkpoint("dense"), "--prompt=text", "--set=context=3"))
        .contains("context: expected at least 4, the chunk of dense");
    assertThat(
            commands.fail(2, "generate", checkpoint("staircase"), "--prompt=text", "--tokens=200"))
        .contains("at most 128 positions");
    assertThat(tiny.resolve("nothing")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{scheme: none} | {kind: staircase, chunk: 0, passes: 2} | recurrence.chunk",
        "{scheme: none} | {kind: staircase, chunk: 4, passes: 0} | recurrence.passes",
        "{scheme: none} | {kind: block-recurrent, chunk: 4, states: 2, layer: 2} |"
            + " recurrence.layer",
        "{scheme: none} | {kind: stair-case, chunk: 4, passes: 2} | staircase",
        "{scheme: none} | {kind: block-recurrent, chunk: 4, states: 0, layer: 0} |"
            + " recurrence.states",
        "{scheme: regulargpt, chunk: 4} | {kind: staircase, chunk: 4, passes: 2} | for `position`",
        "{scheme: fire, threshold: 8} | {kind: staircase, chunk: 4, passes: 2} | for `position`",
        "{scheme: regulargpt, chunk: 4} | {kind: block-recurrent, chunk: 4, states: 2, layer: 0} |"
            + " for `position`",
        "{scheme: formula, bias: -m / 8} | {kind: staircase, chunk: 4, passes: 2} | for `position`",
        "{scheme: formula, bias: -n / 8} | {kind: staircase, chunk: 4, passes: 2} | for `position`",
        "{scheme: formula, bias: -delta / T} | {kind: block-recurrent, chunk: 4, states: 2,"
            + " layer: 0} | for `position`",
        "{scheme: formula, bias: -delta, visible: delta < 3 or delta == 7} | {kind: staircase,"
            + " chunk: 4, passes: 2} | for `position`"
      })
  void impossibleRecurrencesAreRejectedWithTheirKey(String position, String recurrence, String key)
      throws IOException {
    write("wrong", position, recurrence);
    tiny.write("wrong-run.yaml", "extends: [base.yaml, wrong.yaml]\n");
    assertThat(
            commands.fail(
                2,
                "train",
                tiny.option("--config", "wrong-run.yaml"),
                tiny.data(),
                tiny.option("--output", "nothing")))
        .contains(key);
    assertThat(tiny.resolve("nothing")).doesNotExist();
  }
}
