package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemes of every kind from the experiment file to the report. */
class SchemesIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static String printed;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void runAnExperiment() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.write("learned.yaml", "name: learned\nposition: {scheme: learned, positions: 20}\n");
    tiny.write(
        "mine.yaml",
        """
        name: mine
        position:
          scheme: formula
          bias: "at(t, min(delta, 7)) - p * log1p(delta) / T_tr"
          visible: "delta < 12"
          parameters:
            t: {per: head, size: 8, initial: {normal: 0.02}}
            p: {per: [layer, head], initial: {uniform: [0, 2]}, min: 0.01}
        """);
    tiny.write(
        "local.yaml",
        "name: local\nposition: {scheme: sliding-window, window: 16, within: rope}\n");
    tiny.writeExperiment(
        "[1]",
        "local",
        "rope",
        "fire-32",
        "sandwich",
        "sinusoidal",
        "sliding-window-32",
        "sliding-window-32-none",
        "learned",
        "mine");
    tiny.write("tokens.json", "[" + "97,".repeat(21) + "97]");
    printed =
        new CommandRunner()
            .run(
                tiny.experiment(
                    "out", "--set=experiment.measurements.0.position_scaling=[none, yarn]"));
  }

  private static String checkpoint(String name) {
    return tiny.option("--checkpoint", "out/runs/" + name + "-seed1");
  }

  @Test
  void everySchemeReachesTheReport() {
    assertThat(printed)
        .contains("RoPE, YaRN", "FIRE 32", "Sandwich", "Sinusoidal", "Learned")
        .contains("Window 32", "Window 32, no position");
  }

  @Test
  void scaledRopeIsAColumnOfItsOwnAndOtherSchemesAreMeasuredOnce() throws IOException {
    String table = Files.readString(tiny.resolve("out/report/table.csv"));
    assertThat(table)
        .contains("rope,rope,1,aligned,64,10,", "rope-yarn,rope-yarn,1,aligned,64,10,")
        .contains("sliding-window-32,sliding-window,1,aligned,64,10,")
        .contains("sliding-window-32-none,sliding-window-none,1,aligned,64,10,")
        .contains("local,sliding-window-rope,1,aligned,64,10,")
        .doesNotContain("fire-yarn", "local-yarn");
    assertThat(tiny.resolve("out/runs/rope-seed1/evaluation/measurement.json"))
        .content()
        .containsPattern("\"position_scaling\" : \\[ \"none\", \"yarn\" ]");
  }

  @Test
  void learnedPositionsHaveNoResultBeyondTheirTable() throws IOException {
    String table = Files.readString(tiny.resolve("out/report/table.csv"));
    assertThat(table).contains("learned,learned,1,aligned,16,10,");
    assertThat(table.lines().filter(line -> line.startsWith("learned,"))).hasSize(1);
    String none = tiny.option("--output", "none");
    String learned = checkpoint("learned");
    assertThat(commands.fail(2, "evaluate", learned, tiny.data(), "--lengths=64", none))
        .contains("at most 20 positions")
        .contains("found 63 positions");
    commands.fail(2, "receptive-field", learned, tiny.data(), "--length=21", "--samples=2", none);
    String tokens = tiny.option("--tokens", "tokens.json");
    commands.fail(2, "score", learned, tokens);
    commands.run("score", checkpoint("rope"), tokens);
    commands.run("generate", learned, "--prompt=" + "a".repeat(30), "--tokens=5");
    assertThat(tiny.resolve("none")).doesNotExist();
  }

  /** The checkpoint alone has the formula: no command reads the scheme's file. */
  @Test
  void aFormulaReachesTheReportAndEveryCommand() throws IOException {
    String bias = "at(t, min(delta, 7)) - p * log1p(delta) / T_tr";
    assertThat(tiny.resolve("out/report/report.html")).content().contains(bias);
    assertThat(Files.readString(tiny.resolve("out/report/table.csv")))
        .contains("mine,formula,1,aligned,64,10,");
    String mine = checkpoint("mine");
    assertThat(commands.run("inspect", tiny.resolve("out/runs/mine-seed1").toString()))
        .contains(bias, "visible = delta < 12", "attention within a window of 12")
        .contains("transformer.position.t", "transformer.h.1.attn.p");
    String tokens = tiny.option("--tokens", "tokens.json");
    String scores = commands.run("score", mine, tokens);
    commands.run("generate", mine, "--prompt=" + "a".repeat(30), "--tokens=5");
    commands.run("export", mine, "--format=safetensors", tiny.option("--output", "exported"));
    commands.run(
        "import", tiny.option("--checkpoint", "exported"), tiny.option("--output", "imported"));
    assertThat(commands.run("score", tiny.option("--checkpoint", "imported"), tokens))
        .isEqualTo(scores);
    String gpt2 = tiny.option("--output", "none");
    assertThat(commands.fail(2, "export", mine, "--format=gpt2", gpt2)).contains("formula");
  }

  @Test
  void trainingBeyondTheTableIsRejectedBeforeItBegins() {
    String[] run = tiny.experiment("none", "--set=training.length=21");
    assertThat(commands.fail(2, run)).contains("20", "21");
    assertThat(tiny.resolve("none")).doesNotExist();
  }

  @Test
  void aLinearRecurrenceHasNoRotationsNoSoftmaxAndNoFamily() throws IOException {
    tiny.train("gla", "{scheme: linear, member: gla}");
    String gla = tiny.option("--checkpoint", "runs/gla");
    String none = tiny.option("--output", "none");
    String[] evaluate = {"evaluate", gla, tiny.data(), "--lengths=64", none, "--temperature=log"};
    assertThat(commands.fail(2, evaluate))
        .contains("temperature: expected a list with none for gla, because gla has no softmax");
    evaluate[5] = "--position-scaling=yarn";
    assertThat(commands.fail(2, evaluate))
        .contains("position_scaling: expected a list with none")
        .contains("the positions of gla cannot be scaled");
    assertThat(commands.fail(2, "export", gla, "--format=gpt2", none))
        .contains("found position.scheme linear");
    assertThat(tiny.resolve("none")).doesNotExist();
  }

  @Test
  void scalingIsChosenAtTestTime() throws IOException {
    String[] evaluate = {
      "evaluate",
      checkpoint("rope"),
      tiny.data(),
      "--lengths=64",
      "--position-scaling=ntk,linear,yarn:4",
      "--samples=5",
      tiny.option("--output", "scaled")
    };
    assertThat(commands.run(evaluate))
        .contains("rope-ntk seed 1")
        .contains("rope-interpolation seed 1")
        .contains("rope-yarn-4 seed 1");
    String results = tiny.option("--results", "scaled");
    commands.run("report", results, tiny.option("--output", "scaled-report"));
    assertThat(tiny.resolve("scaled-report/table.csv"))
        .content()
        .contains("rope-yarn-4,rope-yarn-4,");
    assertThat(tiny.resolve("scaled-report/table.md")).content().contains("RoPE, YaRN 4");
    evaluate[4] = "--position-scaling=ntk";
    evaluate[6] = tiny.option("--output", "none");
    for (String name : List.of("fire-32", "local")) {
      evaluate[1] = checkpoint(name);
      assertThat(commands.fail(2, evaluate))
          .contains("the positions of " + name + " cannot be scaled: it rotates no distances");
    }
    String tokens = tiny.option("--tokens", "tokens.json");
    commands.fail(2, "score", checkpoint("local"), tokens, "--position-scaling=yarn:4");
    commands.fail(2, "generate", checkpoint("local"), "--prompt=a", "--set=position_scaling=yarn");
    commands.fail(2, "score", checkpoint("rope"), tokens, "--position-scaling=none,ntk");
    commands.run("score", checkpoint("rope"), tokens, "--position-scaling=yarn");
    assertThat(commands.fail(2, "score", checkpoint("rope"), tokens, "--position-scaling=yarn:0.5"))
        .contains("a factor of at least 1");
    tiny.write("beyond.json", "[1, 999]");
    String beyond = tiny.option("--tokens", "beyond.json");
    assertThat(commands.fail(3, "score", checkpoint("rope"), beyond))
        .contains("beyond.json, token 1: expected an id from 0 to 256", "found 999");
    assertThat(tiny.resolve("none")).doesNotExist();
  }
}
