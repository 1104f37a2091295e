package org.lengthwise.measure.receptivefield;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.model.LanguageModel;

/** Measures how strongly the loss after a sample depends on each of the sample's positions. */
final class GradientProbe {
  private final LanguageModel model;
  private final NDManager manager;

  GradientProbe(LanguageModel model, NDManager manager) {
    this.model = model;
    this.manager = manager;
  }

  /**
   * Probes samples in one pass.
   *
   * @param stream the split's tokens
   * @param targets the offset of the token after each sample, whose loss is differentiated
   * @param length T, the positions of a sample
   * @return for each sample ||g_n|| by position, from the earliest to the most recent
   */
  float[][] norms(TokenStream stream, long[] targets, int length) {
    long[] tokens = new long[targets.length * length];
    long[] targetTokens = new long[targets.length];
    int[] sample = new int[length + 1];
    for (int b = 0; b < targets.length; b++) {
      stream.read(targets[b] - length, sample, 0, sample.length);
      for (int t = 0; t < length; t++) {
        tokens[b * length + t] = sample[t];
      }
      targetTokens[b] = sample[length];
    }
    try (NDManager pass = manager.newSubManager()) {
      NDArray tokens_BT = pass.create(tokens, new Shape(targets.length, length));
      return rows(norms(tokens_BT, pass.create(targetTokens)), length);
    }
  }

  private float[] norms(NDArray tokens_BT, NDArray target_B) {
    NDArray gradient_BTd =
        model.gradient(
            model.embed(tokens_BT, true),
            x_BTd -> {
              NDArray last_Bd = x_BTd.get(new NDIndex(":, -1"));
              // Samples are independent, so the gradient of the sum has the gradient of each.
              return model.nll(last_Bd, target_B, true).sum();
            });
    return gradient_BTd.square().sum(new int[] {2}).sqrt().toFloatArray();
  }

  private static float[][] rows(float[] values, int length) {
    float[][] rows = new float[values.length / length][];
    for (int b = 0; b < rows.length; b++) {
      rows[b] = Arrays.copyOfRange(values, b * length, (b + 1) * length);
    }
    return rows;
  }
}
