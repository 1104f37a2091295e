package org.lengthwise.positional;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A scheme that is built of others. Their tensors keep their names. It answers every question from
 * its parts, and a record overrides what it changes.
 */
public sealed interface CompoundScheme extends PositionalScheme
    permits Layers, Randomized, RowScheme, Tempered {

  /** {@return the schemes of which this one is built, at least 1} */
  List<PositionalScheme> parts();

  /**
   * {@return this scheme of other parts; itself if no part changes}
   *
   * @param change gives the scheme that replaces a part
   */
  PositionalScheme withParts(UnaryOperator<PositionalScheme> change);

  /** {@return the part that block k has; the first one unless blocks differ} */
  default PositionalScheme part(int block) {
    return parts().get(0);
  }

  /** This scheme with every part changed that has a change; empty if none has. */
  default Optional<PositionalScheme> changed(
      Function<PositionalScheme, Optional<PositionalScheme>> change) {
    return parts().stream().allMatch(part -> change.apply(part).isEmpty())
        ? Optional.empty()
        : Optional.of(withParts(part -> change.apply(part).orElse(part)));
  }

  /** {@return what this scheme adds to its parts, in a line for readers} */
  String summary();

  @Override
  default List<String> described() {
    return Stream.concat(
            Stream.of(summary()), parts().stream().flatMap(part -> part.described().stream()))
        .toList();
  }

  @Override
  default int period() {
    return part(0).period();
  }

  @Override
  default PositionalScheme inBlock(int block) {
    return withParts(part -> part.inBlock(block));
  }

  @Override
  default PositionTable positionTable() {
    return part(0).positionTable();
  }

  @Override
  default Reach reach() {
    return part(0).reach();
  }

  @Override
  default LengthUse lengths() {
    return parts().stream().map(PositionalScheme::lengths).reduce(LengthUse.ANY, LengthUse::and);
  }

  @Override
  default boolean attendsByDistance() {
    return false;
  }

  @Override
  default List<PositionalParameter> parameters(int heads, int width) {
    return part(0).parameters(heads, width);
  }

  @Override
  default OptionalDouble neutral(String parameter) {
    return part(0).neutral(parameter);
  }

  @Override
  default Cost cost(int heads) {
    return parts().stream().map(part -> part.cost(heads)).reduce(Cost.NONE, Cost::max);
  }

  @Override
  default void requireShape(int heads, int headWidth, int width) {
    parts().forEach(part -> part.requireShape(heads, headWidth, width));
  }

  @Override
  default PositionalScheme trainedAt(int length, int heads, int width, int layers) {
    return withParts(part -> part.trainedAt(length, heads, width, layers));
  }

  @Override
  default boolean hasFormula() {
    return parts().stream().anyMatch(PositionalScheme::hasFormula);
  }

  @Override
  default void requireFinite(List<PositionalValues> blocks, long length) {
    part(0).requireFinite(blocks, length);
  }

  /** It is that of the first part with one. */
  @Override
  default Optional<PositionSample> sample(long seed, int length) {
    return parts().stream().flatMap(part -> part.sample(seed, length).stream()).findFirst();
  }

  /** The smallest of the parts. */
  @Override
  default int original(int trainLength) {
    return parts().stream().mapToInt(part -> part.original(trainLength)).min().orElse(trainLength);
  }

  @Override
  default Optional<PositionalScheme> scaled(PositionScaling scaling, int trainLength) {
    return changed(part -> part.scaled(scaling, trainLength));
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
