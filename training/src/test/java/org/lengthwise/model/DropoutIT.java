package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;

/** Masks by a hash: their share, their independence of the batch, and where they are. */
class DropoutIT {
  private static final int ROWS = 4;
  private static final int NUMBERS = 10_000;
  private static final int WIDTH = 1000;

  /** What stays of ones, after dropout of 0.2. */
  private static float[] mask(long seed, long firstRow, int rows, int calls) {
    try (NDManager pass = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        DecoderKernels kernels =
            new DecoderKernels(DecoderForm.GPT2, Device.cpu(), Numerics.of(Precision.FLOAT32))) {
      DecoderKernels dropping =
          kernels.withDropout(new Dropout(0.2, seed, firstRow)).withGradient();
      NDArray ones = pass.ones(new Shape(rows, 10, NUMBERS / 10));
      for (int call = 1; call < calls; call++) {
        dropping.dropped(ones).close();
      }
      return dropping.dropped(ones).toFloatArray();
    }
  }

  private static double agreement(float[] one, float[] other) {
    return IntStream.range(0, one.length).filter(i -> one[i] == other[i]).count()
        / (double) one.length;
  }

  @Test
  void shareIsZeroedAndTheOthersAreScaled() {
    float[] kept = mask(7, 0, ROWS, 1);
    assertThat(kept).containsOnly(0, 1.25f);
    // Six standard errors of 40,000 draws.
    assertThat(zeros(kept)).isCloseTo(0.2, within(0.012));
    for (int row = 0; row < ROWS; row++) {
      assertThat(zeros(Arrays.copyOfRange(kept, row * NUMBERS, (row + 1) * NUMBERS)))
          .isCloseTo(0.2, within(0.024));
    }
  }

  private static double zeros(float[] mask) {
    return IntStream.range(0, mask.length).filter(i -> mask[i] == 0).count() / (double) mask.length;
  }

  @Test
  void maskFollowsTheRowOfTheBatchAndDiffersBySeedRowAndCall() {
    float[] four = mask(7, 0, ROWS, 1);
    assertThat(mask(7, 2, 2, 1)).isEqualTo(Arrays.copyOfRange(four, 2 * NUMBERS, 4 * NUMBERS));
    float[] first = Arrays.copyOf(four, NUMBERS);
    for (float[] other :
        new float[][] {mask(8, 0, 1, 1), mask(7, 1, 1, 1), mask(7, 0, 1, 2), mask(7, 0, 1, 3)}) {
      // Independent masks agree with the probability 0.8^2 + 0.2^2.
      assertThat(agreement(first, other)).isCloseTo(0.68, within(0.03));
    }
  }

  @Test
  void onlyPassesWithAGraphHaveDropout() {
    ModelConfig config = new ModelConfig(2, 16, 2, 11, new NoPosition());
    RandomModel random = RandomModel.of(config, new Random(5));
    try (Weights weights = random.weights();
        LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32);
        NDManager pass = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      weights.requireGradients();
      LanguageModel dropping = model.withDropout(0.5, 3, 0);
      NDArray tokens_BT = pass.create(new long[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
      assertThat(dropping.hidden(dropping.embed(tokens_BT)).toFloatArray())
          .isEqualTo(model.hidden(model.embed(tokens_BT)).toFloatArray());
      assertThat(loss(model, tokens_BT)).isEqualTo(loss(model, tokens_BT));
      float once = loss(model.withDropout(0.5, 3, 0), tokens_BT);
      assertThat(once)
          .isEqualTo(loss(model.withDropout(0.5, 3, 0), tokens_BT))
          .isNotEqualTo(loss(model.withDropout(0.5, 4, 0), tokens_BT))
          .isNotEqualTo(loss(model, tokens_BT));
    }
  }

  /** All other numbers are 0, so a feature is the sum of what both masks leave of ones. */
  @Test
  void attentionAndMlpHaveMasksOfTheirOwn() {
    ModelConfig config = new ModelConfig(1, WIDTH, 2, 11, new NoPosition());
    try (Weights weights = RandomModel.of(config, new Random(5)).weights()) {
      weights.tensors().values().forEach(tensor -> tensor.muli(0));
      for (String name :
          List.of(
              "transformer.h.0.attn.c_proj.bias",
              "transformer.h.0.mlp.c_proj.bias",
              "transformer.ln_f.weight")) {
        weights.get(name).addi(1);
      }
      weights.requireGradients();
      try (LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32);
          NDManager pass = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
        LanguageModel dropping = model.withDropout(0.2, 3, 0).withGradient();
        NDArray tokens_BT = pass.create(new long[] {0}, new Shape(1, 1));
        float[] features = dropping.hidden(dropping.embed(tokens_BT)).toFloatArray();
        Map<Float, Long> counts =
            IntStream.range(0, WIDTH)
                .mapToObj(i -> features[i])
                .collect(Collectors.groupingBy(x -> x, TreeMap::new, Collectors.counting()));
        // Both zero, one of them, none; six standard errors of 1,000 draws.
        assertThat(List.copyOf(counts.values()))
            .satisfiesExactly(
                both -> assertThat(both).isBetween(3L, 77L),
                one -> assertThat(one).isBetween(231L, 409L),
                none -> assertThat(none).isBetween(549L, 731L));
      }
    }
  }

  private static float loss(LanguageModel model, NDArray tokens_BT) {
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray loss = model.loss(tokens_BT, tokens_BT);
      collector.backward(loss);
      return loss.toFloatArray()[0];
    }
  }
}
