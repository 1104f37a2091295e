package org.lengthwise.eval.receptivefield;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.training.model.Decoder;

/** Measures how strongly the loss after a chunk depends on each of the chunk's positions. */
final class GradientProbe {
  private final Decoder decoder;
  private final NDManager manager;

  GradientProbe(Decoder decoder, NDManager manager) {
    this.decoder = decoder;
    this.manager = manager;
  }

  /**
   * Probes some chunks in one pass.
   *
   * @param stream the split's tokens
   * @param targets the offsets of the tokens whose losses are differentiated
   * @param length T, the positions before each that the model reads
   * @return for each chunk ||g_n|| by position, from the earliest to the most recent
   */
  float[][] norms(TokenStream stream, long[] targets, int length) {
    long[] tokens = new long[targets.length * length];
    long[] targetTokens = new long[targets.length];
    int[] chunk = new int[length + 1];
    for (int b = 0; b < targets.length; b++) {
      stream.read(targets[b] - length, chunk, 0, chunk.length);
      for (int t = 0; t < length; t++) {
        tokens[b * length + t] = chunk[t];
      }
      targetTokens[b] = chunk[length];
    }
    try (NDManager pass = manager.newSubManager()) {
      NDArray tokens_BT = pass.create(tokens, new Shape(targets.length, length));
      return rows(norms(tokens_BT, pass.create(targetTokens)), length);
    }
  }

  private float[] norms(NDArray tokens_BT, NDArray target_B) {
    NDArray gradient_BTd =
        decoder.gradient(
            decoder.embed(tokens_BT, true),
            x_BTd -> {
              NDArray last_Bd = x_BTd.get(new NDIndex(":, -1"));
              // No chunk sees another, so the gradient of the sum holds that of each.
              return decoder.nll(last_Bd, target_B, true).sum();
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
