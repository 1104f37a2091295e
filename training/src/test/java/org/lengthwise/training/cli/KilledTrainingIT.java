package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine;

/**
 * A run in processes of its own, of which all but the last are killed while they work: once within
 * the first second, and then at random moments after a checkpoint. {@code lengthwise.test.kills}
 * says how many, {@code lengthwise.test.seed} when.
 */
@Timeout(600)
class KilledTrainingIT {
  private static final Path CONF = Path.of("../conf").toAbsolutePath().normalize();
  private static final int KILLS = Integer.getInteger("lengthwise.test.kills", 4);

  /** Several epochs, and enough for every attempt to reach a checkpoint. */
  private static final int STEPS = 150 * KILLS;

  private static final int MILLIS_OF_A_SECOND = 1000;
  private static final int MILLIS_AFTER_A_CHECKPOINT = 200;

  private final Path folder;
  private final long seed = Long.getLong("lengthwise.test.seed", 7);
  private final Random random = new Random(seed);

  KilledTrainingIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /** The process. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      System.exit(new CommandLine(new TrainCommand()).execute(arguments));
    }
  }

  @Test
  void killedAtRandomMomentsItEndsWithTheSameBits() throws Exception {
    writeData();
    writeConfiguration();
    assertThat(new CommandLine(new TrainCommand()).execute(arguments("whole"))).isZero();
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = start();
      if (kill > 0) {
        awaitCheckpoint(process);
      }
      int most = kill == 0 ? MILLIS_OF_A_SECOND : MILLIS_AFTER_A_CHECKPOINT;
      boolean ended = process.waitFor(random.nextInt(most), TimeUnit.MILLISECONDS);
      assertThat(ended).as("ended before kill %d, seed %d: %s", kill, seed, log()).isFalse();
      process.destroyForcibly().waitFor();
    }
    assertThat(new CommandLine(new TrainCommand()).execute(arguments("killed"))).isZero();
    assertSameAsWhole();
  }

  private void awaitCheckpoint(Process process) throws IOException, InterruptedException {
    Optional<Path> before = run("killed").newest();
    while (process.isAlive() && run("killed").newest().equals(before)) {
      process.waitFor(5, TimeUnit.MILLISECONDS);
    }
  }

  private void assertSameAsWhole() throws IOException {
    RunFolder whole = run("whole");
    RunFolder killed = run("killed");
    for (String file : List.of("model.safetensors", "optimizer.safetensors", "state.json")) {
      assertThat(killed.checkpoint(STEPS).resolve(file))
          .as("seed %d", seed)
          .hasSameBinaryContentAs(whole.checkpoint(STEPS).resolve(file));
    }
    assertThat(withoutTimes(killed)).as("seed %d", seed).isEqualTo(withoutTimes(whole));
    assertThat(killed.path().resolve("checkpoints").toFile().list())
        .as("seed %d", seed)
        .containsExactlyInAnyOrder(whole.path().resolve("checkpoints").toFile().list());
  }

  /** The lines of metrics, but for what the clock says. */
  private static List<JsonNode> withoutTimes(RunFolder run) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(run.metrics())) {
      ObjectNode numbers = (ObjectNode) ConfigLoader.strictMapper().readTree(line);
      numbers.remove(List.of("tokens_per_second", "mfu"));
      numbers.properties().removeIf(number -> number.getKey().endsWith("_seconds"));
      lines.add(numbers);
    }
    return lines;
  }

  private RunFolder run(String name) {
    return new RunFolder(folder.resolve(name));
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  private Process start() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
    command.addAll(List.of(arguments("killed")));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private String[] arguments(String output) {
    return new String[] {
      "--config=" + folder.resolve("train.yaml"),
      "--data=" + folder.resolve("shards"),
      "--output=" + folder.resolve(output),
      "--resume"
    };
  }

  private void writeConfiguration() throws IOException {
    Files.writeString(
        folder.resolve("train.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml, %1$s/position/alibi.yaml]
        model: {layers: 1, width: 16, heads: 2}
        training:
          length: 16
          batch: 4
          micro_batch: 4
          steps: %2$d
          precision: float32
          device: cpu
          metrics_interval: 3
          validation: {interval: 15, sequences: 4}
          checkpoint: {interval: 5, keep: 2}
        """
            .formatted(CONF, STEPS));
  }

  private void writeData() throws IOException {
    Files.createDirectories(folder.resolve("text"));
    for (int document = 0; document < 60; document++) {
      StringBuilder text = new StringBuilder();
      for (int letter = 0; letter < 200; letter++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      Files.writeString(folder.resolve("text").resolve(document + ".txt"), text);
    }
    int code =
        new CommandLine(new PrepareCommand())
            .execute(
                "--config=" + CONF.resolve("prepare.yaml"),
                "--input=" + folder.resolve("text"),
                "--output=" + folder.resolve("shards"),
                "--tokenizer=bytes",
                "--set=split.train=0.8",
                "--set=split.validation=0.1",
                "--set=split.test=0.1");
    assertThat(code).isZero();
  }
}
