package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.Loops;
import org.lengthwise.training.Schemes;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.data.RepeatingTokens;
import org.lengthwise.training.data.TrainingData;
import org.lengthwise.training.model.Weights;
import org.lengthwise.training.replica.ReplicaDriftException;

class ReplicasIT {
  private static final int VOCABULARY = 11;
  private static final int STEPS = 50;
  private static final TokenStream TOKENS = new RepeatingTokens(400, VOCABULARY);
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  @TempDir private Path folder;

  static List<PositionalScheme> schemes() {
    return Schemes.trainable();
  }

  /** Epsilon is large, so that gradients that are zero but for rounding move nothing. */
  private static RunDescription run(PositionalScheme scheme, String device) {
    LoopConfig loop =
        Loops.every(Loops.on(Loops.of(9, 6, STEPS), device, 6, Precision.FLOAT32), 25, 5, 2);
    TrainingConfig config =
        new TrainingConfig(
            scheme.label(),
            5,
            new TrainingConfig.ModelSize(2, 8, 2),
            scheme,
            new OptimizerConfig(1e-3, 0.9, 0.95, 1e-5, 0.1, 1, 0.05, 0.1),
            loop);
    String nowhere = "0".repeat(64);
    return RunDescription.of(
        config, new DataIdentity(new TokenizerIdentity("test", nowhere, VOCABULARY, 0), nowhere));
  }

  private RunFolder folder(String name) throws IOException {
    return new RunFolder(Files.createDirectories(folder.resolve(name)));
  }

  private static Path train(
      RunDescription run, RunFolder target, @Nullable Checkpoint from, BooleanSupplier stop)
      throws IOException {
    try (Trainer trainer = new Trainer(run, target, new TrainingData(TOKENS, TOKENS), from)) {
      return trainer.train(stop).checkpoint();
    }
  }

  private static <M extends Metrics> double[] numbers(
      RunFolder run, Class<M> kind, ToDoubleFunction<M> number) throws IOException {
    List<M> lines = new ArrayList<>();
    for (String line : Files.readAllLines(run.metrics())) {
      Metrics metrics = MAPPER.readValue(line, Metrics.class);
      if (kind.isInstance(metrics)) {
        lines.add(kind.cast(metrics));
      }
    }
    return lines.stream().mapToDouble(number).toArray();
  }

  private static double[] losses(RunFolder run) throws IOException {
    return numbers(run, Metrics.Training.class, Metrics.Training::loss);
  }

  private static double[] gradientNorms(RunFolder run) throws IOException {
    return numbers(run, Metrics.Training.class, Metrics.Training::gradientNorm);
  }

  private static double[] validated(RunFolder run) throws IOException {
    return numbers(run, Metrics.Validation.class, Metrics.Validation::loss);
  }

  private static void requireSameWeights(Path expected, Path found) throws IOException {
    try (Weights one = Checkpoint.open(expected).weights(Device.cpu());
        Weights other = Checkpoint.open(found).weights(Device.cpu())) {
      one.tensors()
          .forEach(
              (name, tensor) ->
                  assertThat(other.get(name).toFloatArray())
                      .as(name)
                      .containsExactly(tensor.toFloatArray(), within(1e-4f)));
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void threeReplicasLearnWhatOneLearnsFromTheWholeBatch(PositionalScheme scheme)
      throws IOException {
    Path one = train(run(scheme, "cpu"), folder("one"), null, () -> false);
    Path three = train(run(scheme, "cpu:3"), folder("three"), null, () -> false);
    assertThat(losses(folder("three"))).hasSize(STEPS);
    assertThat(losses(folder("three"))).containsExactly(losses(folder("one")), within(1e-5));
    assertThat(gradientNorms(folder("three")))
        .containsExactly(gradientNorms(folder("one")), within(1e-4));
    double[] validated = validated(folder("three"));
    assertThat(validated).containsExactly(validated(folder("one")), within(1e-5));
    assertThat(validated[0]).isCloseTo(validated(folder("one"))[0], within(1e-6));
    requireSameWeights(one, three);
  }

  @Test
  void runResumedOnAnotherNumberOfReplicasKeepsItsOrder() throws IOException {
    Path whole = train(run(new Alibi(), "cpu"), folder("whole"), null, () -> false);
    int[] step = {0};
    Path half = train(run(new Alibi(), "cpu:3"), folder("half"), null, () -> ++step[0] == 20);
    Path resumed =
        train(run(new Alibi(), "cpu:2"), folder("half"), Checkpoint.open(half), () -> false);
    assertThat(losses(folder("half"))).containsExactly(losses(folder("whole")), within(1e-5));
    requireSameWeights(whole, resumed);
  }

  @Test
  void batchThatCannotBeSharedIsRefused() {
    assertThatThrownBy(() -> train(run(new Alibi(), "cpu:4"), folder("run"), null, () -> false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.batch: expected a multiple of 4 replicas");
  }

  @Test
  void replicaThatDriftsEndsTheRunBeforeItsNextCheckpoint() throws IOException {
    RunFolder target = folder("drifting");
    TrainingData data = new TrainingData(TOKENS, TOKENS);
    try (Trainer trainer = new Trainer(run(new Alibi(), "cpu:2"), target, data, null)) {
      AtomicInteger step = new AtomicInteger();
      BooleanSupplier drift =
          () -> {
            if (step.incrementAndGet() == STEPS) {
              NDArray bias = trainer.replicas().first().weights().get("transformer.ln_f.bias");
              bias.setRequiresGradient(false); // so that it may be changed in place
              bias.addi(1);
            }
            return false;
          };
      assertThatThrownBy(() -> trainer.train(drift)).isInstanceOf(ReplicaDriftException.class);
    }
    assertThat(target.newest()).hasValue(target.checkpoint(STEPS / 2));
  }
}
