package org.lengthwise.positional;

/**
 * One method for each form of attention, so the compiler reports every place that a new form needs.
 *
 * @param <R> the result for a scheme
 */
public interface AttentionForm<R> {

  /** Every earlier position is a key, and scores are not changed. */
  R noBias(PositionalScheme scheme);

  /** Every earlier position is a key, and a bias by distance is added to the scores. */
  R byDistance(DistanceBias scheme);

  /** Only the latest W positions are keys. */
  R window(SlidingWindow scheme);

  /**
   * Queries and keys are rotated. Every earlier position is a key, or the latest W in blocks with a
   * window.
   */
  R rotary(Rotary scheme);

  /** Every earlier position is a key, and a bias by query and distance is added to the scores. */
  R byQuery(Fire scheme);

  /**
   * Every earlier position is a key, or every position, and a part of the score depends on the
   * query and the distance.
   */
  R byContent(TransformerXl scheme);

  /** Levels of windows. The keys of a level lie C<sup>l</sup> positions apart. */
  R dilated(RegularGpt scheme);

  /** Bias and visible keys follow a user's formula. */
  R formula(Formula scheme);

  /** Each block has the form of its own scheme. */
  R layers(Layers scheme);

  /**
   * Every earlier position is a key, and the weights of a query depend on the rows of all its keys,
   * or on numbers that positions carry.
   */
  R byRows(RowScheme scheme);

  /** No attention, but a state of constant size that each position changes. */
  R recurrent(Linear scheme);

  /** Attention of another scheme, whose tables are read at a {@link PositionalScheme#sample}. */
  R sampled(Randomized scheme);

  /** Attention of another scheme, whose scores are multiplied by a factor of each query. */
  R tempered(Tempered scheme);
}
