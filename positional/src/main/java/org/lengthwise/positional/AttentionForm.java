package org.lengthwise.positional;

/**
 * One method for each form of attention. A scheme says which form it has by {@link
 * PositionalScheme#accept}. Code that treats forms differently implements this interface, so the
 * compiler reports every place that a new form needs.
 *
 * @param <R> the result of the implementation for a scheme
 */
public interface AttentionForm<R> {

  /**
   * Every earlier position is a key, and scores are not changed.
   *
   * @param scheme a scheme that adds to embeddings, or a scheme without positions
   * @return the result for this form
   */
  R noBias(PositionalScheme scheme);

  /**
   * Every earlier position is a key, and a bias by distance is added to the scores.
   *
   * @return the result for this form
   */
  R byDistance(DistanceBias scheme);

  /**
   * Only the latest W positions are keys.
   *
   * @return the result for this form
   */
  R window(SlidingWindow scheme);

  /**
   * Queries and keys are rotated. Every earlier position is a key, or the latest W in blocks with a
   * window.
   *
   * @return the result for this form
   */
  R rotary(Rotary scheme);

  /**
   * Every earlier position is a key, and a bias by query and distance is added to the scores.
   *
   * @return the result for this form
   */
  R byQuery(Fire scheme);

  /**
   * Every earlier position is a key, or every position, and a part of the score depends on the
   * query and the distance.
   *
   * @return the result for this form
   */
  R byContent(TransformerXl scheme);

  /**
   * Levels of windows. The keys of a level lie C<sup>l</sup> positions apart.
   *
   * @return the result for this form
   */
  R dilated(RegularGpt scheme);

  /**
   * Bias and visible keys follow a user's formula.
   *
   * @return the result for this form
   */
  R formula(Formula scheme);

  /**
   * Each block has the form of its own scheme.
   *
   * @return the result for this form
   */
  R layers(Layers scheme);

  /**
   * Every earlier position is a key, and the weights of a query depend on the rows of all its keys,
   * or on numbers that positions carry.
   *
   * @return the result for this form
   */
  R byRows(RowScheme scheme);

  /**
   * Attention of another scheme, whose tables are read at a {@link PositionalScheme#sample}.
   *
   * @return the result for this form
   */
  R sampled(Randomized scheme);

  /**
   * Attention of another scheme, whose scores are multiplied by a factor of each query.
   *
   * @return the result for this form
   */
  R tempered(Tempered scheme);
}
