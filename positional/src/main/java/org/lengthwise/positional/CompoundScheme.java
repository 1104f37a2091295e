package org.lengthwise.positional;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A scheme that is built of others. Their tensors keep their names. It answers every question from
 * its parts, and a record overrides what it changes.
 */
public sealed interface CompoundScheme extends PositionalScheme
    permits Layers, Randomized, Randomized.Sampled, RowScheme, Tempered {

  /** {@return the schemes of which this one is built, at least 1} */
  List<PositionalScheme> parts();

  /**
   * {@return this scheme of other parts; itself if no part changes}
   *
   * @param change gives the scheme that replaces a part
   */
  PositionalScheme withParts(UnaryOperator<PositionalScheme> change);

  /**
   * {@return the part that a block has; the first one unless blocks differ}
   *
   * @param block the block k
   */
  default PositionalScheme part(int block) {
    return parts().get(0);
  }

  /** {@return what this scheme adds to its parts, in lines for readers} */
  default List<String> summaries() {
    return List.of();
  }

  @Override
  default List<String> described() {
    return Stream.concat(
            summaries().stream(), parts().stream().flatMap(part -> part.described().stream()))
        .toList();
  }

  @Override
  default PositionalScheme inBlock(int block) {
    return withParts(part -> part.inBlock(block));
  }

  @Override
  default int period() {
    return part(0).period();
  }

  @Override
  default PositionTable positionTable() {
    return part(0).positionTable();
  }

  @Override
  default double tokenDeviation(int width) {
    return part(0).tokenDeviation(width);
  }

  @Override
  default List<PositionalParameter> parameters(int heads, int width) {
    return part(0).parameters(heads, width);
  }

  @Override
  default void requireShape(int heads, int width) {
    parts().forEach(part -> part.requireShape(heads, width));
  }

  @Override
  default void requireRows(int attentionWidth, int width) {
    parts().forEach(part -> part.requireRows(attentionWidth, width));
  }

  @Override
  default PositionalScheme trainedAt(int length, int heads, int width, int layers) {
    return withParts(part -> part.trainedAt(length, heads, width, layers));
  }

  @Override
  default void requireFinite(PositionalValues values, long length) {
    part(values.block()).requireFinite(values, length);
  }

  @Override
  default int numBlocksToCheck(int layers) {
    return parts().stream().mapToInt(part -> part.numBlocksToCheck(layers)).max().orElseThrow();
  }

  @Override
  default long longestLength() {
    return parts().stream().mapToLong(PositionalScheme::longestLength).min().orElseThrow();
  }

  @Override
  default boolean isScaledBy(PositionScaling scaling, int trainLength) {
    return scaling.equals(PositionScaling.NONE)
        || parts().stream().anyMatch(part -> part.isScaledBy(scaling, trainLength));
  }

  @Override
  default PositionalScheme scaled(PositionScaling scaling, int trainLength) {
    if (!isScaledBy(scaling, trainLength)) {
      return PositionalScheme.super.scaled(scaling, trainLength); // which rejects it
    }
    return withParts(
        part -> part.isScaledBy(scaling, trainLength) ? part.scaled(scaling, trainLength) : part);
  }

  /** {@inheritDoc} It is that of the first part with one. */
  @Override
  default Optional<PositionSample> sample(long seed, int length) {
    return parts().stream().flatMap(part -> part.sample(seed, length).stream()).findFirst();
  }

  @Override
  default PositionalScheme drawn(long seed, int length) {
    return withParts(part -> part.drawn(seed, length));
  }

  @Override
  default int numCarried(int heads) {
    return parts().stream().mapToInt(part -> part.numCarried(heads)).max().orElseThrow();
  }

  @Override
  default long numbersOfPair(int heads) {
    return parts().stream().mapToLong(part -> part.numbersOfPair(heads)).max().orElseThrow();
  }

  @Override
  default boolean keepsResults(long length) {
    return parts().stream().allMatch(part -> part.keepsResults(length));
  }

  @Override
  default boolean countsLastToken() {
    return parts().stream().anyMatch(PositionalScheme::countsLastToken);
  }

  @Override
  default boolean attendsByDistance() {
    return parts().stream().allMatch(PositionalScheme::attendsByDistance);
  }

  @Override
  default Reach reach() {
    return part(0).reach();
  }

  @Override
  default double[] embed(double[] token_d, PositionalValues values, long position) {
    return part(0).embed(token_d, values, position);
  }

  @Override
  default double[] rotate(double[] vector_D, long position, long length) {
    return part(0).rotate(vector_D, position, length);
  }

  @Override
  default double score(
      PositionalValues values, int head, double[] q_D, double[] k_D, long distance) {
    return part(values.block()).score(values, head, q_D, k_D, distance);
  }

  @Override
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    return part(values.block()).bias(values, head, level, query, distance);
  }

  @Override
  default double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    return part(rows.values().block()).scores(rows, head, level, query);
  }

  @Override
  default double[] weights(double[] scores_N) {
    return part(0).weights(scores_N);
  }
}
