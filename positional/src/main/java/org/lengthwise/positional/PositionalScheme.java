package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * How positions enter a model, in any of three places: what is added to a token's embedding, how
 * queries and keys are turned, and the bias in softmax(q k<sup>T</sup> / sqrt(D) + bias) v, which
 * is added after the scaling and only for keys that the scheme lets a query see.
 *
 * <p>A scheme is a value: its settings are the record's components, its learnable numbers are
 * described by {@link #parameters} and live with the model. {@link #embed}, {@link #rotate} and
 * {@link #bias} here are the slow references that tensors are tested against; a scheme overrides
 * those of its places.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Alibi.class, name = Alibi.NAME),
  @JsonSubTypes.Type(value = KerpleLog.class, name = KerpleLog.NAME),
  @JsonSubTypes.Type(value = KerplePower.class, name = KerplePower.NAME),
  @JsonSubTypes.Type(value = T5.class, name = T5.NAME),
  @JsonSubTypes.Type(value = RegularGpt.class, name = RegularGpt.NAME),
  @JsonSubTypes.Type(value = NoPosition.class, name = NoPosition.NAME),
  @JsonSubTypes.Type(value = Sandwich.class, name = Sandwich.NAME),
  @JsonSubTypes.Type(value = Fire.class, name = Fire.NAME),
  @JsonSubTypes.Type(value = Rope.class, name = Rope.NAME),
  @JsonSubTypes.Type(value = Sinusoidal.class, name = Sinusoidal.NAME),
  @JsonSubTypes.Type(value = Learned.class, name = Learned.NAME),
  @JsonSubTypes.Type(value = SlidingWindow.class, name = SlidingWindow.NAME)
})
public sealed interface PositionalScheme
    permits Alibi,
        Fire,
        Kerple,
        Learned,
        NoPosition,
        RegularGpt,
        Rotary,
        Sandwich,
        Sinusoidal,
        SlidingWindow,
        T5 {

  /**
   * The scheme's name in configurations, checkpoints and results.
   *
   * @return a lower-case name, unique among the schemes
   */
  String label();

  /**
   * The learnable numbers this scheme adds to a model.
   *
   * @param heads H
   * @param width d
   * @return their descriptions, in the order in which they are stored; empty if there are none
   */
  default List<PositionalParameter> parameters(int heads, int width) {
    return List.of();
  }

  /**
   * Checks that a model of this shape can have this scheme.
   *
   * @param layers K
   * @param heads H, a divisor of the width
   * @param width d
   * @throws IllegalArgumentException if it cannot, saying what was expected and found
   */
  default void requireShape(int layers, int heads, int width) {}

  /**
   * The longest sequence that the scheme can run over. Whoever runs a model asks before, so that
   * nothing fails in the middle.
   *
   * @return positions, {@link Long#MAX_VALUE} for every scheme but those with a position table
   */
  default long longestLength() {
    return Long.MAX_VALUE;
  }

  /**
   * Whether a scaling changes anything about this scheme, or is none.
   *
   * @param scaling what might happen to positions beyond the training length
   * @return whether {@link #scaled} accepts it
   */
  default boolean isScaledBy(PositionScaling scaling) {
    return scaling == PositionScaling.NONE;
  }

  /**
   * This scheme as a model that was trained with it is run at test time.
   *
   * @param scaling what happens to positions beyond the training length
   * @param trainLength T_tr
   * @return a scheme with the same learnable numbers
   * @throws IllegalArgumentException if this scheme has nothing to scale
   */
  default PositionalScheme scaled(PositionScaling scaling, int trainLength) {
    if (!isScaledBy(scaling)) {
      throw new IllegalArgumentException(label() + " has no rotations to scale");
    }
    return this;
  }

  /**
   * How many times the stack of distinct blocks runs over a sequence.
   *
   * @param length T, at least 1
   * @return L, 1 for every scheme that does not adapt its depth
   */
  default int levels(long length) {
    return 1;
  }

  /**
   * The theoretical receptive field: how many of the most recent positions the last one can depend
   * on at all, itself included, by any path of attended keys through all executed layers.
   *
   * @param layers K, the number of distinct blocks
   * @param length T, at least 1
   * @return from 1 to T. It is T where queries see all earlier keys, and under RegularGPT too,
   *     whose levels are as many as it takes
   */
  default long receptiveField(int layers, long length) {
    return length;
  }

  /**
   * The reference input of the first block, in plain doubles.
   *
   * @param token_d the token's embedding
   * @param values the learnable numbers
   * @param position m, at least 0
   * @return the token's embedding with its position, or as it is
   */
  default double[] embed(double[] token_d, PositionalValues values, long position) {
    return token_d;
  }

  /**
   * The reference rotation of a query or a key, in plain doubles.
   *
   * @param vector_D a query or a key of one head
   * @param position m, at least 0
   * @param length T, the whole sequence's
   * @return the vector turned by its position, or as it is
   */
  default double[] rotate(double[] vector_D, long position, long length) {
    return vector_D;
  }

  /**
   * The reference bias, in plain doubles.
   *
   * @param values the learnable numbers of one block
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param query m, at least 0; FIRE alone asks for it
   * @param distance delta = m - n, from 0 to m
   * @return what is added to the scaled score, or negative infinity if the key is not attended to
   */
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    return 0;
  }
}
