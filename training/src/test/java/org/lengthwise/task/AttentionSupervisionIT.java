package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.attention.WatchedAttention.Weights;
import org.lengthwise.recall.Rasp;
import org.lengthwise.recall.RaspLanguage;

class AttentionSupervisionIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20260101L);

  /** In a histogram with BOS each symbol selects BOS and its equals; BOS selects BOS. */
  private static final float[][] SELECTED = {
    {1, 0, 0, 0}, {1 / 3f, 1 / 3f, 0, 1 / 3f}, {1 / 2f, 0, 1 / 2f, 0}, {1 / 3f, 1 / 3f, 0, 1 / 3f}
  };

  private static double loss(double factor, float[] weights) {
    Rasp task = new Rasp(RaspLanguage.HIST_BOS, List.of(0, 4), 0, 0, 0, factor);
    long[] tokens = Arrays.stream(task.ids("§aba")).asLongStream().toArray();
    try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
      NDArray weights_BHnn = manager.create(weights, new Shape(1, 1, 4, 4));
      return new AttentionSupervision(task)
          .loss(manager.create(tokens, new Shape(1, 4)), List.of(new Weights(0, 0, weights_BHnn)))
          .getFloat();
    }
  }

  @Test
  void theLossIsTheFactorTimesTheMeanSquareToUniformWeights() {
    Random random = new Random(SEED);
    float[] weights = new float[16];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = random.nextFloat();
      sum += Math.pow(weights[i] - SELECTED[i / 4][i % 4], 2);
    }
    assertThat(loss(100, weights)).as("seed %s", SEED).isCloseTo(100 * sum / 16, within(1e-4));
  }

  @Test
  void selectedWeightsHaveNoLoss() {
    float[] weights = new float[16];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = SELECTED[i / 4][i % 4];
    }
    assertThat(loss(100, weights)).isZero();
  }
}
