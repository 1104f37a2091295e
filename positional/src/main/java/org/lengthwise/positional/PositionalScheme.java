package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.annotation.JsonTypeResolver;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How positions enter a model: a scheme adds them to embeddings ({@link #positionTable}), rotates
 * queries and keys, or changes scores ({@link ReferenceFormulas}), and decides which keys a query
 * sees ({@link #reach}). A scheme is a value: its settings are the record's components.
 *
 * <p>The list {@code permits}, together with the lists of the sealed interfaces in it, is the only
 * registration of schemes. A record's {@code @JsonTypeName} is the scheme's name in configurations
 * and checkpoints.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
@JsonTypeResolver(TemperatureKey.class)
public sealed interface PositionalScheme extends ReferenceFormulas
    permits CompoundScheme,
        DistanceBias,
        Fire,
        Formula,
        Learned,
        Linear,
        NoPosition,
        RegularGpt,
        Rotary,
        Sinusoidal,
        SlidingWindow,
        TransformerXl {
  /** {@return the scheme's lower-case name in results and messages, unique among the schemes} */
  default String label() {
    return Objects.requireNonNull(getClass().getAnnotation(JsonTypeName.class)).value();
  }

  /** {@return what a reader needs to know beyond name and settings, such as a user's formulas} */
  default List<String> described() {
    return List.of();
  }

  /** Calls the method for this scheme's form of attention, on tensors. */
  <R> R accept(AttentionForm<R> form);

  /** {@return the scheme that block k has; another one only if blocks have their own} */
  default PositionalScheme inBlock(int block) {
    return this;
  }

  /** {@return n, if blocks k and k + n always have the same scheme} */
  default int period() {
    return 1;
  }

  /** {@return the linear recurrence that a block of this scheme has in place of attention} */
  default Optional<RecurrenceShape> recurrence(int heads, int width) {
    return Optional.empty();
  }

  /** {@return the positions that are added to token embeddings} */
  default PositionTable positionTable() {
    return PositionTable.NONE;
  }

  /** {@return what queries see} */
  default Reach reach() {
    return Reach.EARLIER;
  }

  /** {@return which lengths the scheme reads, and what changes with the length} */
  default LengthUse lengths() {
    return LengthUse.ANY;
  }

  /**
   * {@return whether attention depends on positions by the distance m - n alone, at every T, and a
   * query sees all earlier keys or a window}
   */
  default boolean attendsByDistance() {
    return true;
  }

  /** {@return the learnable numbers of a model with H heads and width d, in stored order} */
  default List<PositionalParameter> parameters(int heads, int width) {
    return List.of();
  }

  /** {@return the label of the scheme without a temperature} */
  default String untemperedLabel() {
    return label();
  }

  /**
   * {@return the value of all numbers of a learnable tensor with which the scheme adds nothing;
   * empty if there is none, or if this tensor may have any value then}
   */
  default OptionalDouble neutral(String parameter) {
    return OptionalDouble.empty();
  }

  /**
   * {@return the numbers of a position in front of attention: query, key, value and what it
   * carries}
   */
  default int rowWidth(int heads, int width) {
    return 3 * width + cost(heads).numCarried();
  }

  /** {@return what a layer with H heads computes beside the scores of a dense scheme} */
  default Cost cost(int heads) {
    return Cost.NONE;
  }

  /**
   * Checks that a model with H heads of width D and a residual stream of width d can have this
   * scheme.
   *
   * @throws IllegalArgumentException if it cannot, with the expected and the found value
   */
  default void requireShape(int heads, int headWidth, int width) {}

  /**
   * {@return the scheme as a model that is trained with it stores it; another one if a formula uses
   * T_tr}
   *
   * @param length T_tr, the length of training sequences
   * @param layers K, the number of distinct blocks
   * @throws IllegalArgumentException if a bias up to T_tr is not finite, with the distance
   */
  default PositionalScheme trainedAt(int length, int heads, int width, int layers) {
    return this;
  }

  /** {@return whether a user's formula gives a bias, so that {@link #requireFinite} has work} */
  default boolean hasFormula() {
    return false;
  }

  /**
   * Checks that the biases of trained blocks are finite up to a length.
   *
   * @throws IllegalArgumentException if one is not, with the distance; never for a built-in scheme
   */
  default void requireFinite(List<PositionalValues> blocks, long length) {}

  /**
   * {@return the positions or distances that stand for 0..T-1 in a pass with a seed, if the scheme
   * draws them}
   */
  default Optional<PositionSample> sample(long seed, int length) {
    return Optional.empty();
  }

  /**
   * {@return the scheme that replaces this one at test time, with the same learnable numbers; empty
   * if it rotates no distances beyond T_tr} Blocks whose windows or chunks are no longer than T_tr
   * keep their rotations.
   *
   * @param scaling any scaling but {@link PositionScaling#NONE}
   * @param trainLength T_tr
   */
  default Optional<PositionalScheme> scaled(PositionScaling scaling, int trainLength) {
    return Optional.empty();
  }

  /**
   * {@return the positions of training before the scheme had its own scaling of rotations; T_tr
   * without one}
   *
   * @param trainLength T_tr of the model with this scheme
   */
  default int original(int trainLength) {
    return trainLength;
  }

  /**
   * {@return this scheme with a temperature at test time, in each layer that can have one; empty if
   * none can}
   */
  default Optional<PositionalScheme> tempered(Temperature temperature) {
    return noTemperature().isPresent()
        ? Optional.empty()
        : Optional.of(new Tempered(this, temperature));
  }

  /**
   * {@return why this scheme cannot have a temperature; empty for a softmax over a number of keys
   * that is known before the scores}
   */
  default Optional<String> noTemperature() {
    return Optional.empty();
  }
}
