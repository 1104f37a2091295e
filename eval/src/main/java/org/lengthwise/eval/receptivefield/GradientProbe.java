package org.lengthwise.eval.receptivefield;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.training.model.Decoder;

/** Measures the share of the last position's gradient that reaches each earlier position. */
final class GradientProbe {
  private final Decoder decoder;
  private final NDManager manager;

  GradientProbe(Decoder decoder, NDManager manager) {
    this.decoder = decoder;
    this.manager = manager;
  }

  /**
   * Probes one chunk.
   *
   * @param stream the split's tokens
   * @param target the offset of the token whose loss is differentiated
   * @param length T, the positions before it that the model reads
   * @return c_n by position, from the earliest, where c is 1, to the most recent
   */
  double[] cumulative(TokenStream stream, long target, int length) {
    int[] chunk = new int[length + 1];
    stream.read(target - length, chunk, 0, chunk.length);
    long[] tokens = new long[length];
    for (int t = 0; t < length; t++) {
      tokens[t] = chunk[t];
    }
    try (NDManager pass = manager.newSubManager()) {
      NDArray tokens_BT = pass.create(tokens, new Shape(1, length));
      return cumulative(norms(tokens_BT, pass.create(new long[] {chunk[length]})));
    }
  }

  private float[] norms(NDArray tokens_BT, NDArray target_B) {
    // Weights ask for no gradients here, so the graph begins at this copy of the embeddings.
    try (NDArray embedded_BTd = decoder.embed(tokens_BT, true)) {
      embedded_BTd.setRequiresGradient(true);
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray x_BTd = decoder.hidden(embedded_BTd, true);
        NDArray last_Bd = x_BTd.get(new NDIndex(":, -1"));
        collector.backward(decoder.nll(last_Bd, target_B, true).sum());
      }
      try (NDArray gradient_BTd = embedded_BTd.getGradient()) {
        return gradient_BTd.square().sum(new int[] {2}).sqrt().toFloatArray();
      }
    }
  }

  /** Sums shares from the most recent position to the earliest. */
  static double[] cumulative(float[] norms) {
    double[] sums = new double[norms.length];
    double sum = 0;
    for (int n = norms.length - 1; n >= 0; n--) {
      sum += norms[n];
      sums[n] = sum;
    }
    for (int n = 0; n < sums.length; n++) {
      sums[n] /= sum;
    }
    return sums;
  }
}
