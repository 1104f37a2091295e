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
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.SmallTask;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

class ReplicasIT {
  private static final int VOCABULARY = 11;
  private static final int STEPS = 20;
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  @TempDir private Path folder;

  static List<PositionalScheme> schemes() {
    return Schemes.trainable();
  }

  /** With a large epsilon, gradients that are only rounding errors change nothing. */
  private static RunDescription run(PositionalScheme scheme, String device) {
    LoopConfig loop =
        Loops.every(Loops.on(Loops.of(9, 6, STEPS), device, 6, Precision.FLOAT32), STEPS / 2, 5, 2);
    TrainingConfig config =
        new TrainingConfig(
            scheme.label(),
            5,
            new TrainingConfig.ModelSize(2, 8, 2),
            scheme,
            new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-5, 0.1, 1, 0.05, 0.1),
            loop);
    return RunDescription.of(config, SmallTask.of(config, VOCABULARY));
  }

  private RunFolder folder(String name) throws IOException {
    return new RunFolder(Files.createDirectories(folder.resolve(name)));
  }

  private static Path train(
      RunDescription run, RunFolder target, @Nullable Checkpoint from, BooleanSupplier stop)
      throws IOException {
    try (Trainer trainer = new Trainer(run, SmallTask.of(run.config(), VOCABULARY), target, from)) {
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
    assertThat(losses(folder("three"))).containsExactly(losses(folder("one")), within(1e-4));
    assertThat(gradientNorms(folder("three")))
        .containsExactly(gradientNorms(folder("one")), within(1e-4));
    double[] validated = validated(folder("three"));
    assertThat(validated).containsExactly(validated(folder("one")), within(1e-4));
    assertThat(validated[0]).isCloseTo(validated(folder("one"))[0], within(1e-5));
    requireSameWeights(one, three);
  }

  @Test
  void runResumedOnAnotherNumberOfReplicasKeepsItsOrder() throws IOException {
    Path whole = train(run(new Alibi(), "cpu"), folder("whole"), null, () -> false);
    int[] step = {0};
    Path half = train(run(new Alibi(), "cpu:3"), folder("half"), null, () -> ++step[0] == 8);
    Path resumed =
        train(run(new Alibi(), "cpu:2"), folder("half"), Checkpoint.open(half), () -> false);
    assertThat(losses(folder("half"))).containsExactly(losses(folder("whole")), within(1e-4));
    requireSameWeights(whole, resumed);
  }

  @Test
  void batchThatCannotBeSharedIsRejected() {
    assertThatThrownBy(() -> train(run(new Alibi(), "cpu:4"), folder("run"), null, () -> false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.batch: expected a multiple of 4 replicas");
  }

  @Test
  void replicaThatDriftsEndsTheRunBeforeItsNextCheckpoint() throws IOException {
    RunFolder target = folder("drifting");
    RunDescription run = run(new Alibi(), "cpu:2");
    Task task = SmallTask.of(run.config(), VOCABULARY);
    try (Trainer trainer = new Trainer(run, task, target, null)) {
      AtomicInteger step = new AtomicInteger();
      BooleanSupplier drift =
          () -> {
            if (step.incrementAndGet() == STEPS) {
              NDArray bias = trainer.replicas().first().weights().get("transformer.ln_f.bias");
              bias.setRequiresGradient(false); // so that it can be changed in place
              bias.addi(1);
            }
            return false;
          };
      assertThatThrownBy(() -> trainer.train(drift))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transformer.ln_f.bias of replica 1 differs");
    }
    assertThat(target.newest()).hasValue(target.checkpoint(STEPS / 2));
  }
}
