package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A model that goes out and comes in through the command line, and is measured like any other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterchangeIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void trainAModel() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 30; document++) {
      Files.writeString(
          folder.resolve("text/" + document + ".txt"), ("text " + document + " ").repeat(40));
    }
    String[] prepare = {
      "prepare",
      "--input=" + folder.resolve("text"),
      "--output=" + folder.resolve("shards"),
      "--tokenizer=gpt2",
      "--set=split.train=0.4",
      "--set=split.validation=0.3",
      "--set=split.test=0.3"
    };
    assertThat(run(prepare)).isZero();
    Files.writeString(
        folder.resolve("train.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/position/learned-128.yaml]
        model: {layers: 1, width: 8, heads: 2}
        training:
          length: 16
          batch: 2
          micro_batch: 2
          steps: 2
          precision: float32
          device: cpu
          validation: {sequences: 1}
        """
            .formatted(HOME.resolve("conf")));
    String[] train = {
      "train",
      "--config=" + folder.resolve("train.yaml"),
      "--data=" + folder.resolve("shards"),
      "--output=" + folder.resolve("run")
    };
    assertThat(run(train)).isZero();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static String option(String option, String name) {
    return option + "=" + folder.resolve(name);
  }

  private String score(String checkpoint) throws IOException {
    Files.writeString(folder.resolve("score.txt"), "text 7 text of another kind");
    assertThat(
            run(
                "score",
                option("--checkpoint", checkpoint),
                option("--text", "score.txt"),
                "--json"))
        .isZero();
    return out.toString();
  }

  private void goOutAndComeIn(String format, String name) {
    String[] leaving = {
      "export",
      option("--checkpoint", "run"),
      "--format=" + format,
      option("--output", name + "-file")
    };
    assertThat(run(leaving)).isZero();
    String[] entering = {
      "import", option("--checkpoint", name + "-file"), option("--output", name)
    };
    assertThat(run(entering)).isZero();
  }

  @Test
  void aModelThatWentOutAndCameInHasTheSameScores() throws IOException {
    String expected = score("run");
    goOutAndComeIn("gpt2", "scored-gpt2");
    assertThat(score("scored-gpt2")).isEqualTo(expected);
    goOutAndComeIn("safetensors", "scored-own");
    assertThat(score("scored-own")).isEqualTo(expected);
  }

  @Test
  void anImportedModelIsMeasuredLikeAnyOther() throws IOException {
    goOutAndComeIn("gpt2", "guest");
    assertThat(run("inspect", folder.resolve("guest").toString())).isZero();
    assertThat(out.toString())
        .contains("run          guest, seed 0, step 0")
        .contains("imported     from the layout gpt2: config.json, model.safetensors")
        .contains("Learned[positions=128]", "gpt2, 50257 ids");
    String[] evaluate = {
      "evaluate",
      option("--checkpoint", "guest"),
      option("--data", "shards"),
      "--lengths=16,64",
      "--chunks=3",
      option("--output", "results/guest")
    };
    assertThat(run(evaluate)).isZero();
    assertThat(run(evaluate)).isZero();
    assertThat(out.toString()).contains("guest seed 0, aligned at 64: perplexity");
    String[] field = {
      "receptive-field",
      option("--checkpoint", "guest"),
      option("--data", "shards"),
      "--length=16",
      "--samples=2",
      option("--output", "results/field")
    };
    assertThat(run(field)).isZero();
    assertThat(run("report", option("--results", "results"), option("--output", "report")))
        .isZero();
    assertThat(Files.readString(folder.resolve("report/table.csv")))
        .contains("guest,learned,0,aligned,64,3,");
  }

  @Test
  void mistakesEndInTheirExitCode() {
    String[] unknown = {
      "export", option("--checkpoint", "run"), "--format=onnx", option("--output", "nothing")
    };
    assertThat(run(unknown)).isEqualTo(2);
    assertThat(err.toString()).contains("safetensors, gpt2");
    String[] nowhere = {"import", option("--checkpoint", "nowhere"), option("--output", "nothing")};
    assertThat(run(nowhere)).isEqualTo(2);
    String[] broken = {
      "import", option("--checkpoint", "train.yaml"), option("--output", "nothing")
    };
    assertThat(run(broken)).isEqualTo(2);
    assertThat(folder.resolve("nothing")).doesNotExist();
  }
}
