package org.lengthwise.eval.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.GradientNormsFile;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.ReceptiveFieldFile;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/** Receptive fields of two checkpoints at several lengths, whole, refused and killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
class ReceptiveFieldIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void trainTwoModels() throws IOException {
    System.setProperty("lengthwise.home", HOME.toString());
    Random random = new Random(1);
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 40; document++) {
      StringBuilder text = new StringBuilder();
      for (int letter = 0; letter < 200; letter++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      Files.writeString(folder.resolve("text/" + document + ".txt"), text);
    }
    Files.writeString(
        folder.resolve("base.yaml"),
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
        """
            .formatted(HOME.resolve("conf")));
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
    train("learned", "{scheme: learned, positions: 20}");
    train("window", "{scheme: sliding-window, window: 4, within: none}");
  }

  private void train(String name, String position) throws IOException {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(
        file, "extends: [base.yaml]\nname: %s\nposition: %s\n".formatted(name, position));
    assertThat(run("train", "--config=" + file, data(), output("runs/" + name))).isZero();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static String data() {
    return "--data=" + folder.resolve("shards");
  }

  private static String output(String name) {
    return "--output=" + folder.resolve(name);
  }

  private static List<String> measure(String lengths, int samples, String output) {
    return List.of(
        "receptive-field",
        "--checkpoint",
        folder.resolve("runs/learned").toString(),
        folder.resolve("runs/window").toString(),
        data(),
        "--length=" + lengths,
        "--samples=" + samples,
        output(output));
  }

  private int run(List<String> arguments) {
    return run(arguments.toArray(new String[0]));
  }

  @Test
  @Order(1)
  void everyCheckpointIsMeasuredAtTheLengthsThatItCanRead() throws IOException {
    assertThat(run(measure("40,16", 5, "fields"))).isZero();
    List<ReceptiveFieldResult> results =
        ReceptiveFieldFile.read(folder.resolve("fields")).stream().map(Located::value).toList();
    assertThat(results)
        .extracting(result -> result.run() + " " + result.length() + " " + result.theoretical())
        .containsExactly("learned 16 16", "window 16 7", "window 40 7");
    assertThat(out.toString().lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("window seed 1 at 40, untrained: of the gradient 50 %"))
        .anyMatch(line -> line.endsWith("all within 7"));
    assertThat(results.get(0).targetsSha256()).isEqualTo(results.get(1).targetsSha256());
    assertThat(results.get(2).trained().effective(0.99).high()).isLessThanOrEqualTo(7);
  }

  @Test
  @Order(2)
  void curvesCanBeComputedAgainFromTheGradientsBesideThem() throws IOException {
    for (Located<ReceptiveFieldResult> line : ReceptiveFieldFile.read(folder.resolve("fields"))) {
      ReceptiveFieldResult result = line.value();
      Path file =
          folder.resolve(
              "fields/gradients-%s-seed1-step2-%d-trained.arrow"
                  .formatted(result.run(), result.length()));
      assertThat(CumulativeGradient.of(GradientNormsFile.read(file))).isEqualTo(result.trained());
    }
  }

  @Test
  @Order(3)
  void anotherMeasurementIsRefusedAndTheSameIsLeftAlone() {
    assertThat(run(measure("16,40", 5, "fields"))).isZero();
    assertThat(run(measure("16", 5, "fields"))).isEqualTo(2);
    assertThat(err.toString()).contains("lengths");
    assertThat(run(measure("21,40", 5, "none"))).isEqualTo(2);
    assertThat(err.toString()).contains("at most 20 positions").contains("found 21 positions");
    assertThat(run(measure("16", 1, "none"))).isEqualTo(2);
    assertThat(run(measure("100000,16", 5, "none"))).isEqualTo(3);
    List<String> twice = new ArrayList<>(measure("16", 5, "none"));
    twice.set(2, twice.get(3));
    assertThat(run(twice)).isEqualTo(2);
    assertThat(err.toString()).contains("window seed 1 step 2, as in");
    assertThat(folder.resolve("none")).doesNotExist();
  }

  @Test
  @Order(4)
  void killedItKeepsItsFinishedCurvesAndEndsTheSame() throws Exception {
    List<String> arguments = measure("8,16,40,200", 60, "killed");
    Path progress = folder.resolve(".killed.partial/notes/progress.json");
    Process process = start(arguments);
    while (process.isAlive() && finishedCells(progress) < 2) {
      process.waitFor(2, TimeUnit.MILLISECONDS);
    }
    assertThat(process.isAlive()).as("long enough to be killed").isTrue();
    process.destroyForcibly().waitFor();
    Path kept =
        folder.resolve(".killed.partial/content/gradients-learned-seed1-step2-8-trained.arrow");
    Object written = Files.getLastModifiedTime(kept);
    assertThat(run(measure("8", 60, "killed"))).as("another measurement").isEqualTo(2);
    assertThat(run(arguments)).isZero();
    assertThat(Files.getLastModifiedTime(folder.resolve("killed").resolve(kept.getFileName())))
        .isEqualTo(written);
    assertThat(run(measure("8,16,40,200", 60, "whole"))).isZero();
    String[] names = folder.resolve("whole").toFile().list();
    assertThat(folder.resolve("killed").toFile().list()).containsExactlyInAnyOrder(names);
    for (String name : names) {
      assertThat(folder.resolve("killed").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("whole").resolve(name));
    }
  }

  private static int finishedCells(Path progress) throws IOException {
    try {
      byte[] note = Files.readAllBytes(progress);
      return ConfigLoader.strictMapper().readTree(note).get("finished_cells").intValue();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-Dlengthwise.home=" + HOME,
                "-cp",
                System.getProperty("java.class.path"),
                Lengthwise.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }
}
