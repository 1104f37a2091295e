package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Schemes of every kind from configuration to report, two steps of training each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SchemesIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void writeACorpusAndAnExperiment() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Random random = new Random(1);
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 60; document++) {
      StringBuilder text = new StringBuilder();
      for (int letter = 0; letter < 300; letter++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      Files.writeString(folder.resolve("text/" + document + ".txt"), text);
    }
    Files.writeString(
        folder.resolve("learned.yaml"),
        "name: learned\nposition: {scheme: learned, positions: 20}\n");
    Files.writeString(
        folder.resolve("experiment.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml]
        model: {layers: 2, width: 16, heads: 2}
        training:
          length: 16
          batch: 2
          micro_batch: 2
          steps: 2
          precision: float32
          device: cpu
          validation: {interval: 2, sequences: 2}
          checkpoint: {interval: 2, keep: 1}
        experiment:
          data: %2$s
          columns:
            - %1$s/position/rope.yaml
            - %1$s/position/fire-32.yaml
            - %1$s/position/sandwich.yaml
            - %1$s/position/sinusoidal.yaml
            - %1$s/position/sliding-window-32.yaml
            - %1$s/position/sliding-window-32-none.yaml
            - learned.yaml
          seeds: [1]
          lengths: [16, 64]
          evaluation:
            protocols: [{name: aligned, chunks: 5}]
            seed: 1
            within_document: false
            position_scaling: [none, yarn]
            memory_limit_megabytes: 64
            precision: float32
            device: cpu
          receptive_field: {lengths: [32], samples: 2}
        """
            .formatted(HOME.resolve("conf"), folder.resolve("shards")));
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static String checkpoint(String name) {
    return "--checkpoint=" + folder.resolve("out/runs").resolve(name + "-seed1");
  }

  private static String data() {
    return "--data=" + folder.resolve("shards");
  }

  private static String output(String name) {
    return "--output=" + folder.resolve(name);
  }

  @Test
  @Order(1)
  void everySchemeReachesTheReport() throws IOException {
    assertThat(
            run(
                "prepare",
                "--input=" + folder.resolve("text"),
                output("shards"),
                "--tokenizer=bytes",
                "--set=split.train=0.6",
                "--set=split.validation=0.2",
                "--set=split.test=0.2"))
        .isZero();
    assertThat(run("run", "--config=" + folder.resolve("experiment.yaml"), output("out"))).isZero();
    assertThat(out.toString())
        .contains("RoPE, YaRN", "FIRE 32", "Sandwich", "Sinusoidal", "Learned")
        .contains("Window 32", "Window 32, no position");
  }

  @Test
  @Order(2)
  void scaledRopeIsAColumnOfItsOwnAndOtherSchemesAreMeasuredOnce() throws IOException {
    String table = Files.readString(folder.resolve("out/report/table.csv"));
    assertThat(table)
        .contains("rope,rope,1,aligned,64,5,", "rope-yarn,rope-yarn,1,aligned,64,5,")
        .contains("sliding-window-32,sliding-window,1,aligned,64,5,")
        .contains("sliding-window-32-none,sliding-window-none,1,aligned,64,5,")
        .doesNotContain("fire-yarn");
    assertThat(Files.readString(folder.resolve("out/runs/rope-seed1/evaluation/measurement.json")))
        .containsPattern("\"position_scaling\" : \\[ \"none\", \"yarn\" ]");
  }

  @Test
  @Order(3)
  void learnedPositionsHaveNoResultBeyondTheirTable() throws IOException {
    String table = Files.readString(folder.resolve("out/report/table.csv"));
    assertThat(table).contains("learned,learned,1,aligned,16,5,");
    assertThat(table.lines().filter(line -> line.startsWith("learned,"))).hasSize(1);
    assertThat(folder.resolve("out/runs/learned-seed1/receptive-field")).doesNotExist();
    assertThat(run("evaluate", checkpoint("learned"), data(), "--lengths=64", output("none")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("at most 20 positions").contains("found 63 positions");
    assertThat(
            run(
                "receptive-field",
                checkpoint("learned"),
                data(),
                "--length=21",
                "--samples=2",
                output("none")))
        .isEqualTo(2);
    Files.writeString(folder.resolve("tokens.json"), "[" + "97,".repeat(21) + "97]");
    String tokens = "--tokens=" + folder.resolve("tokens.json");
    assertThat(run("score", checkpoint("learned"), tokens)).isEqualTo(2);
    assertThat(run("score", checkpoint("rope"), tokens)).isZero();
    String[] beyond = {
      "generate", checkpoint("learned"), "--prompt=" + "a".repeat(30), "--tokens=5"
    };
    assertThat(run(beyond)).isZero();
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  @Order(4)
  void trainingBeyondTheTableIsRefusedBeforeItBegins() {
    assertThat(
            run(
                "run",
                "--config=" + folder.resolve("experiment.yaml"),
                "--set=training.length=21",
                output("none")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("length must be at most 20");
  }

  @Test
  @Order(5)
  void scalingIsChosenAtTestTime() throws IOException {
    assertThat(
            run(
                "evaluate",
                checkpoint("rope"),
                data(),
                "--lengths=64",
                "--position-scaling=ntk,interpolation",
                "--chunks=5",
                output("scaled")))
        .isZero();
    assertThat(out.toString()).contains("rope-ntk seed 1").contains("rope-interpolation seed 1");
    String fire = checkpoint("fire-32");
    assertThat(
            run("evaluate", fire, data(), "--lengths=64", "--position-scaling=ntk", output("none")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("fire-32 has no rotations to scale");
    String tokens = "--tokens=" + folder.resolve("tokens.json");
    assertThat(run("score", checkpoint("rope"), tokens, "--position-scaling=none,ntk"))
        .isEqualTo(2);
    assertThat(run("score", checkpoint("rope"), tokens, "--position-scaling=yarn")).isZero();
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
