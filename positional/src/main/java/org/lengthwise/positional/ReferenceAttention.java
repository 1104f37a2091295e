package org.lengthwise.positional;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * Attention of all heads over one sequence, in plain doubles and quadratic time.
 *
 * @param scheme the scheme of the block
 * @param values the scheme's learnable numbers in the block
 * @param causal whether a query sees no later keys
 * @param sample the positions or distances that stand for 0..T-1, if the scheme draws them
 */
public record ReferenceAttention(
    PositionalScheme scheme,
    PositionalValues values,
    boolean causal,
    Optional<PositionSample> sample) {

  /**
   * {@return attention in the block of the values, over T positions, with the sample of the seed 0}
   */
  public static ReferenceAttention of(
      PositionalScheme scheme, PositionalValues values, boolean causal, int length) {
    PositionalScheme own = scheme.inBlock(values.block());
    return new ReferenceAttention(own, values, causal, own.sample(0, length));
  }

  /**
   * The rows of a sequence as scores read them.
   *
   * @param carried_TE the numbers that each position carries; E is {@link Cost#numCarried}
   */
  public record Rows(
      PositionalValues values,
      double[][][] q_HTD,
      double[][][] k_HTD,
      double[][] carried_TE,
      boolean causal,
      Optional<PositionSample> sample) {

    /** Key n is at position n. */
    int numKeys(int query) {
      return causal ? query + 1 : k_HTD[0].length;
    }

    double[] query(int head, int position) {
      return q_HTD[head][position];
    }

    /**
     * {@link ReferenceFormulas#score} plus {@link ReferenceFormulas#bias} of a query's keys [N].
     * Schemes that draw distances use no position, and those that draw positions no distance.
     */
    double[] scores(ReferenceFormulas scheme, int head, int level, int query) {
      double[] scores_N = new double[numKeys(query)];
      for (int n = 0; n < scores_N.length; n++) {
        long distance = at(sample, query - n);
        long position = sample.isEmpty() ? query : distance;
        scores_N[n] =
            scheme.score(values, head, query(head, query), key(head, n), distance)
                + scheme.bias(values, head, level, position, distance);
      }
      return scores_N;
    }

    /** These rows with one query of each head h multiplied by a factor. */
    Rows withQuery(int query, IntToDoubleFunction factor) {
      double[][][] other_HTD = new double[q_HTD.length][][];
      for (int h = 0; h < q_HTD.length; h++) {
        double f = factor.applyAsDouble(h);
        other_HTD[h] = q_HTD[h].clone();
        other_HTD[h][query] = Arrays.stream(q_HTD[h][query]).map(x -> x * f).toArray();
      }
      return new Rows(values, other_HTD, k_HTD, carried_TE, causal, sample);
    }

    double[] key(int head, int position) {
      return k_HTD[head][position];
    }
  }

  /**
   * {@return the weighted values [H, T, D] of every query over the keys that it sees at a level}
   */
  public double[][][] attend(
      double[][][] q_HTD,
      double[][][] k_HTD,
      double[][][] v_HTD,
      double[][] carried_TE,
      int level) {
    Rows rows = rows(q_HTD, k_HTD, carried_TE);
    double[][][] out_HTD = new double[q_HTD.length][carried_TE.length][];
    for (int h = 0; h < q_HTD.length; h++) {
      for (int m = 0; m < carried_TE.length; m++) {
        out_HTD[h][m] = attend(rows, v_HTD[h], h, level, m);
      }
    }
    return out_HTD;
  }

  /** {@return the rows of a sequence, with queries and keys rotated} */
  public Rows rows(double[][][] q_HTD, double[][][] k_HTD, double[][] carried_TE) {
    return new Rows(
        values.ofLength(carried_TE.length),
        rotate(q_HTD),
        rotate(k_HTD),
        carried_TE,
        causal,
        sample);
  }

  /** {@return the weighted values [D] of one query over the keys that it sees} */
  public double[] attend(Rows rows, double[][] v_TD, int head, int level, int query) {
    return sum(scheme.weights(scheme.scores(rows, head, level, query)), v_TD);
  }

  private double[][][] rotate(double[][][] x_HTD) {
    double[][][] rotated_HTD = new double[x_HTD.length][][];
    for (int h = 0; h < x_HTD.length; h++) {
      int length = x_HTD[h].length;
      rotated_HTD[h] = new double[length][];
      for (int t = 0; t < length; t++) {
        rotated_HTD[h][t] = scheme.rotate(x_HTD[h][t], at(sample, t), length);
      }
    }
    return rotated_HTD;
  }

  private static double[] sum(double[] weights_N, double[][] v_TD) {
    double[] sum_D = new double[v_TD[0].length];
    for (int n = 0; n < weights_N.length; n++) {
      for (int i = 0; i < sum_D.length; i++) {
        sum_D[i] += weights_N[n] * v_TD[n][i];
      }
    }
    return sum_D;
  }

  private static long at(Optional<PositionSample> sample, long place) {
    return sample.map(drawn -> drawn.at(place)).orElse(place);
  }

  static double[] softmax(double[] scores_N) {
    double largest = Double.NEGATIVE_INFINITY;
    for (double score : scores_N) {
      largest = Math.max(largest, score);
    }
    double[] weights_N = new double[scores_N.length];
    double sum = 0;
    for (int n = 0; n < weights_N.length; n++) {
      weights_N[n] = Math.exp(scores_N[n] - largest);
      sum += weights_N[n];
    }
    for (int n = 0; n < weights_N.length; n++) {
      weights_N[n] /= sum;
    }
    return weights_N;
  }
}
