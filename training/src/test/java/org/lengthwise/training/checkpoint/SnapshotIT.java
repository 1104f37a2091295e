package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.optimizer.AdamW;

class SnapshotIT {
  private static final ModelConfig MODEL = new ModelConfig(2, 16, 2, 11, new KerpleLog());
  private static final OptimizerConfig SETTINGS =
      new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1);

  private final Weights weights = Weights.initialise(MODEL, new RandomStreams(3), Device.cpu());
  private final AdamW optimizer = new AdamW(SETTINGS, weights);
  private final Snapshot snapshot = new Snapshot(weights, optimizer);

  @BeforeEach
  void fillEveryMomentWithDifferentNumbers() {
    int[] count = {0};
    optimizer.moments().values().forEach(moment -> moment.addi(++count[0] / 3f));
    weights.requireGradients();
  }

  @AfterEach
  void close() {
    snapshot.close();
    optimizer.close();
    weights.close();
  }

  private void assertEqualTo(Map<String, NDArray> tensors) {
    tensors.forEach(
        (name, tensor) ->
            assertThat(numbers(name)).as(name).containsExactly(tensor.toFloatArray()));
  }

  private float[] numbers(String name) {
    FloatBuffer numbers = snapshot.numbers(name);
    float[] copy = new float[numbers.remaining()];
    numbers.get(copy);
    return copy;
  }

  @Test
  void copyEqualsEveryWeightAndMoment() {
    snapshot.take();
    assertThat(snapshot.weights()).containsOnlyKeys(weights.tensors().keySet());
    assertThat(snapshot.moments()).containsOnlyKeys(optimizer.moments().keySet());
    assertEqualTo(weights.tensors());
    assertEqualTo(optimizer.moments());
  }

  @Test
  void copyIsUnchangedUntilTheNextOneIsTaken() {
    String name = "transformer.ln_f.bias.exp_avg";
    snapshot.take();
    float[] before = numbers(name);
    Objects.requireNonNull(optimizer.moments().get(name)).addi(1);
    assertThat(numbers(name)).containsExactly(before);
    snapshot.take();
    assertThat(numbers(name)).doesNotContain(before);
    assertEqualTo(optimizer.moments());
  }
}
