package org.lengthwise.positional;

/**
 * Softmax attention of one head over one sequence, in plain doubles and quadratic time.
 *
 * @param scheme the positional scheme
 * @param values the scheme's learnable numbers in the block
 * @param causal whether a query sees no later keys
 */
public record ReferenceAttention(PositionalScheme scheme, PositionalValues values, boolean causal) {

  /**
   * {@return the weighted values [T, D] of every query over the keys that it sees}
   *
   * @param q_TD queries
   * @param k_TD keys
   * @param v_TD values
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   */
  public double[][] attend(double[][] q_TD, double[][] k_TD, double[][] v_TD, int head, int level) {
    int length = q_TD.length;
    double[][] rotated_TD = rotate(k_TD);
    double[][] out_TD = new double[length][];
    for (int m = 0; m < length; m++) {
      double[] q_D = scheme.rotate(q_TD[m], m, length);
      double[] weights_N = weights(q_D, rotated_TD, m, head, level, values.ofLength(length));
      out_TD[m] = new double[v_TD[m].length];
      for (int n = 0; n < weights_N.length; n++) {
        for (int i = 0; i < out_TD[m].length; i++) {
          out_TD[m][i] += weights_N[n] * v_TD[n][i];
        }
      }
    }
    return out_TD;
  }

  private double[][] rotate(double[][] k_TD) {
    double[][] rotated_TD = new double[k_TD.length][];
    for (int n = 0; n < k_TD.length; n++) {
      rotated_TD[n] = scheme.rotate(k_TD[n], n, k_TD.length);
    }
    return rotated_TD;
  }

  private double[] weights(
      double[] q_D, double[][] k_TD, int m, int head, int level, PositionalValues numbers) {
    double[] scores_N = new double[causal ? m + 1 : k_TD.length];
    double largest = Double.NEGATIVE_INFINITY;
    for (int n = 0; n < scores_N.length; n++) {
      scores_N[n] =
          scheme.score(numbers, head, q_D, k_TD[n], m - n)
              + scheme.bias(numbers, head, level, m, m - n);
      largest = Math.max(largest, scores_N[n]);
    }
    double sum = 0;
    for (int n = 0; n < scores_N.length; n++) {
      scores_N[n] = Math.exp(scores_N[n] - largest);
      sum += scores_N[n];
    }
    for (int n = 0; n < scores_N.length; n++) {
      scores_N[n] /= sum;
    }
    return scores_N;
  }
}
