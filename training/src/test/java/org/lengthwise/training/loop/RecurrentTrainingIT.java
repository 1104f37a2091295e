package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.Recurrence;
import org.lengthwise.model.Staircase;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.SmallTask;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/** Recurrent models go through the trainer as any model. */
class RecurrentTrainingIT {
  private static final int VOCABULARY = 11;
  private static final int STEPS = 60;

  @TempDir private Path folder;

  static Stream<Recurrence> recurrences() {
    return Stream.of(new Staircase(4, 2), new BlockRecurrence(8, 3, 1));
  }

  private static RunDescription run(Recurrence recurrence, String device, Precision precision) {
    return run(recurrence, device, precision, 1e-2);
  }

  private static RunDescription run(
      Recurrence recurrence, String device, Precision precision, double rate) {
    TrainingConfig config =
        new TrainingConfig(
            recurrence.label(),
            5,
            new TrainingConfig.ModelSize(2, 32, 2),
            new SlidingWindow(8, SlidingWindow.Within.ALIBI),
            recurrence,
            new OptimizerConfig(rate, 1, 0.9, 0.95, 1e-5, 0.1, 1, 0.05, 0.1),
            Loops.every(Loops.on(Loops.of(16, 4, STEPS), device, 4, precision), 20, 3, 4),
            null);
    return RunDescription.of(config, SmallTask.of(config, VOCABULARY));
  }

  /** A run in which rounding errors stay small. Batches of two replicas are half as large. */
  private static RunDescription slow(Recurrence recurrence, String device) {
    return run(recurrence, device, Precision.FLOAT32, 1e-4);
  }

  private Path train(
      RunDescription run, String name, @Nullable Checkpoint from, BooleanSupplier stop)
      throws IOException {
    RunFolder target = new RunFolder(Files.createDirectories(folder.resolve(name)));
    try (Trainer trainer = new Trainer(run, SmallTask.of(run.config(), VOCABULARY), target, from)) {
      return trainer.train(stop).checkpoint();
    }
  }

  private List<Double> losses(String name) throws IOException {
    List<Double> losses = new ArrayList<>();
    for (String line : Files.readAllLines(new RunFolder(folder.resolve(name)).metrics())) {
      if (ConfigLoader.strictMapper().readValue(line, Metrics.class)
          instanceof Metrics.Training training) {
        losses.add(training.loss());
      }
    }
    return losses;
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void aSmallGrammarIsLearnedAndAResumedRunEndsWithTheSameBits(Recurrence recurrence)
      throws IOException {
    RunDescription run = run(recurrence, "cpu", Precision.FLOAT32);
    Path whole = train(run, "whole", null, () -> false);
    List<Double> losses = losses("whole");
    assertThat(losses.get(STEPS - 1)).isLessThan(0.7 * losses.get(0));
    int[] step = {0};
    Path half = train(run, "half", null, () -> ++step[0] == 30);
    Path resumed = train(run, "half", Checkpoint.open(half), () -> false);
    assertThat(Files.readAllBytes(resumed.resolve("model.safetensors")))
        .isEqualTo(Files.readAllBytes(whole.resolve("model.safetensors")));
    assertThat(Checkpoint.open(resumed).origin().model().recurrence()).isEqualTo(recurrence);
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void twoReplicasLearnWhatOneLearns(Recurrence recurrence) throws IOException {
    Path one = train(slow(recurrence, "cpu"), "one", null, () -> false);
    Path two = train(slow(recurrence, "cpu:2"), "two", null, () -> false);
    try (Weights expected = Checkpoint.open(one).weights(Device.cpu());
        Weights found = Checkpoint.open(two).weights(Device.cpu())) {
      expected
          .tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(found.get(name).toFloatArray())
                      .as(name)
                      .containsExactly(tensor.toFloatArray(), within(1e-3f)));
    }
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void bfloat16StaysCloseToFloat32(Recurrence recurrence) throws IOException {
    train(run(recurrence, "cpu", Precision.FLOAT32, 1e-3), "exact", null, () -> false);
    train(run(recurrence, "cpu", Precision.BFLOAT16, 1e-3), "bf16", null, () -> false);
    assertThat(losses("bf16").get(STEPS - 1))
        .isCloseTo(losses("exact").get(STEPS - 1), within(0.1));
  }
}
