package org.lengthwise.positional;

/**
 * Softmax attention of one head over one sequence, in plain doubles and quadratic time.
 *
 * @param scheme the positional scheme
 * @param values the scheme's learnable numbers in the block
 */
public record ReferenceAttention(PositionalScheme scheme, PositionalValues values) {

  /**
   * The attention of every query over the keys that it sees.
   *
   * @param q_TD queries
   * @param k_TD keys
   * @param v_TD values
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @return the weighted values [T, D]
   */
  public double[][] attend(double[][] q_TD, double[][] k_TD, double[][] v_TD, int head, int level) {
    int length = q_TD.length;
    double[][] rotated_TD = rotate(k_TD);
    double[][] out_TD = new double[length][];
    for (int m = 0; m < length; m++) {
      double[] q_D = scheme.rotate(q_TD[m], m, length);
      double[] weights_T = weights(q_D, rotated_TD, m, head, level);
      out_TD[m] = new double[v_TD[m].length];
      for (int n = 0; n <= m; n++) {
        for (int i = 0; i < out_TD[m].length; i++) {
          out_TD[m][i] += weights_T[n] * v_TD[n][i];
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

  private double[] weights(double[] q_D, double[][] k_TD, int m, int head, int level) {
    double[] scores_T = new double[m + 1];
    double largest = Double.NEGATIVE_INFINITY;
    for (int n = 0; n <= m; n++) {
      double product = 0;
      for (int i = 0; i < q_D.length; i++) {
        product += q_D[i] * k_TD[n][i];
      }
      scores_T[n] = product / Math.sqrt(q_D.length) + scheme.bias(values, head, level, m, m - n);
      largest = Math.max(largest, scores_T[n]);
    }
    double sum = 0;
    for (int n = 0; n <= m; n++) {
      scores_T[n] = Math.exp(scores_T[n] - largest);
      sum += scores_T[n];
    }
    for (int n = 0; n <= m; n++) {
      scores_T[n] /= sum;
    }
    return scores_T;
  }
}
