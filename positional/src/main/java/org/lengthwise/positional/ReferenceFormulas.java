package org.lengthwise.positional;

/**
 * What a scheme computes in attention, as slow references in plain doubles against which tensors
 * are tested: softmax(q k<sup>T</sup> / sqrt(D) + bias) v, with a bias of negative infinity where
 * the query does not see the key. A scheme overrides the places that it changes.
 */
public interface ReferenceFormulas {
  /**
   * {@return a query or a key, rotated by its position}
   *
   * @param vector_D a query or a key of one head
   * @param position m, at least 0
   * @param length T, the length of the whole sequence
   */
  default double[] rotate(double[] vector_D, long position, long length) {
    return vector_D;
  }

  /**
   * {@return the score without its bias, q k / sqrt(D)}
   *
   * @param values the learnable numbers of one block
   * @param head h in 0..H-1
   * @param distance m - n; negative if the key lies after the query
   */
  default double score(
      PositionalValues values, int head, double[] q_D, double[] k_D, long distance) {
    double product = 0;
    for (int i = 0; i < q_D.length; i++) {
      product += q_D[i] * k_D[i];
    }
    return product / Math.sqrt(q_D.length);
  }

  /**
   * {@return the bias that is added to the scaled score}
   *
   * @param values the learnable numbers of one block
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param query m, at least 0; only FIRE and formulas use it
   * @param distance delta = m - n, from 0 to m; negative only if {@link Reach#hasLaterKeys}
   */
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    return 0;
  }

  /**
   * {@return the scores [N] of one query over its keys, {@link #score} plus {@link #bias}, unless
   * the scheme needs the rows of other keys}
   *
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param query m, at least 0
   */
  default double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    return rows.scores(this, head, level, query);
  }

  /** {@return the weights [N] of a query's values, the softmax of its scores [N]} */
  default double[] weights(double[] scores_N) {
    return ReferenceAttention.softmax(scores_N);
  }
}
