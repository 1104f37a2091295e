package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code export} and {@code import}: the imported model is measured like any other. */
class InterchangeIT {
  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAModel() throws IOException {
    tiny = new TinyExperiment(folder, "gpt2");
    tiny.train("learned", "{scheme: learned, positions: 128}");
  }

  private String score(String checkpoint) {
    return commands.run(
        "score",
        tiny.option("--checkpoint", checkpoint),
        tiny.option("--text", "score.txt"),
        "--json");
  }

  private void exportAndImport(String format, String name) {
    commands.run(
        "export",
        tiny.checkpoint("learned"),
        "--format=" + format,
        tiny.option("--output", name + "-file"));
    commands.run(
        "import", tiny.option("--checkpoint", name + "-file"), tiny.option("--output", name));
  }

  @Test
  void anExportedAndImportedModelHasTheSameScores() throws IOException {
    tiny.write("score.txt", "text 7 text of another kind");
    String expected = score("runs/learned");
    exportAndImport("gpt2", "scored-gpt2");
    assertThat(score("scored-gpt2")).isEqualTo(expected);
    exportAndImport("safetensors", "scored-own");
    assertThat(score("scored-own")).isEqualTo(expected);
  }

  @Test
  void anImportedModelIsMeasuredLikeAnyOther() throws IOException {
    exportAndImport("gpt2", "guest");
    assertThat(commands.run("inspect", tiny.resolve("guest").toString()))
        .contains("run          guest, seed 0, step 0")
        .contains("imported     from the layout gpt2: config.json, model.safetensors")
        .contains("position     learned, positions 128, ", "gpt2, 50257 ids");
    String[] evaluate = {
      "evaluate",
      tiny.option("--checkpoint", "guest"),
      tiny.data(),
      "--lengths=16,64",
      "--samples=3",
      tiny.option("--output", "results/guest")
    };
    commands.run(evaluate);
    assertThat(commands.run(evaluate)).contains("guest seed 0, aligned at 64: perplexity");
    commands.run(
        "receptive-field",
        tiny.option("--checkpoint", "guest"),
        tiny.data(),
        "--length=16",
        "--samples=2",
        tiny.option("--output", "results/field"));
    commands.run("report", tiny.option("--results", "results"), tiny.option("--output", "report"));
    assertThat(Files.readString(tiny.resolve("report/table.csv")))
        .contains("guest,learned,0,aligned,64,3,");
  }

  @Test
  void aFolderIsReadInFloat32OnRequest() throws IOException {
    tiny.write("weights.txt", "text 7 text of another kind");
    exportAndImport("gpt2", "wide");
    String[] score = {
      "score", tiny.option("--checkpoint", "wide-file"), tiny.option("--text", "weights.txt"), ""
    };
    score[3] = "--weights=stored";
    String stored = commands.run(score);
    score[3] = "--weights=float32";
    assertThat(commands.run(score)).isEqualTo(stored);
    score[3] = "--weights=bfloat16";
    assertThat(commands.fail(2, score)).contains("--weights: expected one of stored, float32");
  }

  @Test
  void wrongOptionsLeaveNothing() {
    String nothing = tiny.option("--output", "nothing");
    assertThat(commands.fail(2, "export", tiny.checkpoint("learned"), "--format=onnx", nothing))
        .contains("safetensors, gpt2");
    commands.fail(2, "import", tiny.option("--checkpoint", "nowhere"), nothing);
    commands.fail(2, "import", tiny.option("--checkpoint", "base.yaml"), nothing);
    assertThat(tiny.resolve("nothing")).doesNotExist();
  }
}
