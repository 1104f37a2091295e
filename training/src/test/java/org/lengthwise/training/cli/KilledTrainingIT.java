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
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine;

/**
 * A run in child processes. All except the last are killed: the first within one second, the others
 * at random moments after a checkpoint. {@code lengthwise.test.kills} is the number of kills,
 * {@code lengthwise.test.seed} the seed of the moments.
 */
@Timeout(600)
class KilledTrainingIT {
  private static final int KILLS = Integer.getInteger("lengthwise.test.kills", 4);

  /** Several epochs, enough for every attempt to reach a checkpoint. */
  private static final int STEPS = 150 * KILLS;

  private static final int MILLIS_OF_A_SECOND = 1000;
  private static final int MILLIS_AFTER_A_CHECKPOINT = 200;

  private final TrainingFolder folder;
  private final long seed = Long.getLong("lengthwise.test.seed", 7);
  private final Random random = new Random(seed);
  private final List<String> more = new ArrayList<>();

  KilledTrainingIT(@TempDir Path path) throws IOException {
    folder =
        TrainingFolder.create(
            path,
            """
            steps: %s
            metrics_interval: 3
            validation: {interval: 15, sequences: 4}
            checkpoint: {interval: 5, keep: 2}
            """
                .formatted(STEPS));
  }

  @Test
  void killedAtRandomMomentsItEndsWithTheSameBits() throws Exception {
    killedItEndsWithTheSameBits();
  }

  @Test
  void aKilledSecondStageEndsWithTheSameBits() throws Exception {
    folder.advance("source", "training.steps=5", "model.layers=1");
    more.add("--from=" + folder.path().resolve("source"));
    more.add("--set=start.optimizer=keep");
    more.add("--set=position={scheme: t5, scale: one}");
    killedItEndsWithTheSameBits();
  }

  private void killedItEndsWithTheSameBits() throws Exception {
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
    Optional<Path> before = folder.run("killed").newest();
    while (process.isAlive() && folder.run("killed").newest().equals(before)) {
      process.waitFor(5, TimeUnit.MILLISECONDS);
    }
  }

  private void assertSameAsWhole() throws IOException {
    RunFolder whole = folder.run("whole");
    RunFolder killed = folder.run("killed");
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

  /** The lines of metrics without times. */
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

  private String[] arguments(String run) {
    List<String> all = new ArrayList<>(List.of("--resume", "--set=model.layers=1"));
    all.addAll(more);
    return folder.arguments(run, all.toArray(String[]::new));
  }

  private Process start() throws IOException {
    return folder
        .process(arguments("killed"))
        .redirectErrorStream(true)
        .redirectOutput(folder.path().resolve("log").toFile())
        .start();
  }

  private String log() throws IOException {
    return Files.readString(folder.path().resolve("log"));
  }
}
