package org.lengthwise.measure.receptivefield;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import java.util.Arrays;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;

/** Measures how strongly the loss of the last position depends on each position of a sample. */
record GradientProbe(LanguageModel model, NDManager manager) {
  /**
   * {@return for each sample ||g_n|| by position, from the earliest to the most recent, from one
   * pass}
   *
   * @param samples B samples of T positions, each with one target whose loss is differentiated
   */
  float[][] norms(Samples samples) {
    try (NDManager pass = manager.newSubManager()) {
      Task.Batch batch = samples.on(pass);
      float[] norms = norms(batch.tokens_BT(), batch.targets().flatten());
      return rows(norms, samples.numTokens() / samples.count());
    }
  }

  private float[] norms(NDArray tokens_BT, NDArray target_B) {
    LanguageModel graphs = model.withGradient();
    NDArray gradient_BTd =
        graphs.gradient(
            graphs.embed(tokens_BT),
            x_BTd -> {
              NDArray last_Bd = x_BTd.get(new NDIndex(":, -1"));
              // Samples are independent, so the gradient of the sum has the gradient of each.
              return graphs.nll(last_Bd, target_B).sum();
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
