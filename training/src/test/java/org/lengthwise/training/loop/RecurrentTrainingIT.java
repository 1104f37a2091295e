package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.NoRecurrence;
import org.lengthwise.model.Recurrence;
import org.lengthwise.model.Staircase;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.SmallTask;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.optimizer.AdamW;

/** A transformer and recurrent models go through the trainer with dropout. */
class RecurrentTrainingIT {
  private static final int VOCABULARY = 11;
  private static final int STEPS = 60;

  @TempDir private Path folder;

  static Stream<Recurrence> recurrences() {
    return Stream.of(new NoRecurrence(), new Staircase(4, 2), new BlockRecurrence(8, 3, 1));
  }

  private static RunDescription run(Recurrence recurrence, String device, Precision precision) {
    return run(recurrence, device, precision, 1e-2);
  }

  private static RunDescription run(
      Recurrence recurrence, String device, Precision precision, double rate) {
    return run(recurrence, Loops.on(Loops.of(16, 4, STEPS), device, 4, precision), rate);
  }

  private static RunDescription run(Recurrence recurrence, LoopConfig loop, double rate) {
    TrainingConfig config =
        new TrainingConfig(
            recurrence.label(),
            5,
            new TrainingConfig.ModelSize(
                2, 32, 2, DecoderForm.GPT2, ModelConfig.Kind.DECODER, 0.05),
            new SlidingWindow(8, SlidingWindow.Within.ALIBI),
            recurrence,
            new OptimizerConfig(rate, 1, 0.9, 0.95, 1e-5, 0.1, 1, 0.05, 0.1),
            Loops.every(loop, 20, 3, 4),
            null,
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

  private double[] losses(String name) throws IOException {
    List<Double> losses = new ArrayList<>();
    for (String line : Files.readAllLines(new RunFolder(folder.resolve(name)).metrics())) {
      if (ConfigLoader.strictMapper().readValue(line, Metrics.class)
          instanceof Metrics.Training training) {
        losses.add(training.loss());
      }
    }
    return losses.stream().mapToDouble(loss -> loss).toArray();
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void aSmallGrammarIsLearnedAndAResumedRunEndsWithTheSameBits(Recurrence recurrence)
      throws IOException {
    RunDescription run = run(recurrence, "cpu", Precision.FLOAT32);
    Path whole = train(run, "whole", null, () -> false);
    double[] losses = losses("whole");
    assertThat(losses[STEPS - 1]).isLessThan(0.7 * losses[0]);
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
    assertThat(losses("two")).hasSize(STEPS).containsExactly(losses("one"), within(1e-4));
    try (Weights expected = Checkpoint.open(one).weights(Device.cpu());
        Weights found = Checkpoint.open(two).weights(Device.cpu())) {
      expected
          .tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(found.get(name).toFloatArray())
                      .as(name)
                      .containsExactly(tensor.toFloatArray(), within(1e-4f)));
    }
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void bfloat16StaysCloseToFloat32(Recurrence recurrence) throws IOException {
    train(run(recurrence, "cpu", Precision.FLOAT32, 1e-3), "exact", null, () -> false);
    train(run(recurrence, "cpu", Precision.BFLOAT16, 1e-3), "bf16", null, () -> false);
    LoopConfig narrow = Loops.inBfloat16(Loops.of(16, 4, STEPS));
    train(run(recurrence, narrow, 1e-3), "narrow", null, () -> false);
    double expected = losses("exact")[STEPS - 1];
    assertThat(losses("narrow")[STEPS - 1]).isCloseTo(expected, withinPercentage(2.0));
    assertThat(losses("bf16")[STEPS - 1])
        .isCloseTo(expected, withinPercentage(2.0))
        .isNotEqualTo(expected);
  }

  /** 64 random tokens have no structure, so a low loss needs every part of the model. */
  @ParameterizedTest
  @MethodSource("recurrences")
  void oneBatchIsOverfitted(Recurrence recurrence) {
    ModelConfig model =
        new ModelConfig(2, 64, 4, VOCABULARY, new SlidingWindow(8, SlidingWindow.Within.ALIBI))
            .with(recurrence);
    long[] tokens = new Random(5).longs(65, 0, VOCABULARY).toArray();
    try (Weights weights = Weights.initialise(model, new RandomStreams(1), Device.cpu());
        LanguageModel decoder = LanguageModel.of(model, weights, Precision.FLOAT32);
        AdamW optimizer =
            new AdamW(new OptimizerConfig(3e-3, 1, 0.9, 0.95, 1e-8, 0, 1, 0, 1), weights)) {
      weights.requireGradients();
      double loss = Double.POSITIVE_INFINITY;
      for (int step = 1; step <= 300 && loss >= 0.05; step++) {
        try (NDManager pass = NDManager.newBaseManager(Device.cpu(), "PyTorch");
            GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          collector.zeroGradients();
          NDArray nll =
              decoder.loss(
                  pass.create(Arrays.copyOf(tokens, 64), new Shape(1, 64)),
                  pass.create(Arrays.copyOfRange(tokens, 1, 65), new Shape(1, 64)));
          collector.backward(nll);
          loss = nll.getFloat();
        }
        optimizer.clip().close();
        optimizer.update(step, 3e-3);
      }
      assertThat(loss).isLessThan(0.05);
    }
  }
}
