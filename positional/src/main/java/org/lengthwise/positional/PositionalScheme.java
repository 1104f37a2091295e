package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.annotation.JsonTypeResolver;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How positions enter a model. There are three places: a position can be added to a token's
 * embedding, it can rotate queries and keys, and it can add a bias in softmax(q k<sup>T</sup> /
 * sqrt(D) + bias) v. The bias is added after the scaling. A bias of negative infinity means that
 * the query does not see the key.
 *
 * <p>A scheme is a value: its settings are the record's components. {@link #parameters} describes
 * its learnable numbers, which the model stores. {@link #embed}, {@link #rotate}, {@link #score},
 * {@link #bias}, {@link #scores} and {@link #weights} are slow references in plain doubles, against
 * which tensors are tested. A scheme overrides the references of the places that it uses.
 *
 * <p>The list {@code permits}, together with the lists of the sealed interfaces in it, is the only
 * registration of schemes. A record's {@code @JsonTypeName} is the scheme's name in configurations
 * and checkpoints.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
@JsonTypeResolver(TemperatureKey.class)
public sealed interface PositionalScheme
    permits CompoundScheme,
        DistanceBias,
        Fire,
        Formula,
        Learned,
        NoPosition,
        RegularGpt,
        Rotary,
        Sinusoidal,
        SlidingWindow,
        TransformerXl {
  /**
   * The most {@linkplain #numbersOfPair numbers of pairs} that a kernel holds for a block of
   * queries, 8 MB; a block has at least one query of each sequence.
   */
  long NUMBERS_OF_BLOCK = 1 << 21;

  /** {@return the scheme's lower-case name in results and messages, unique among the schemes} */
  default String label() {
    return Objects.requireNonNull(getClass().getAnnotation(JsonTypeName.class)).value();
  }

  /**
   * {@return the scheme that one block has: this scheme, unless blocks have schemes of their own}
   *
   * @param block the block k
   */
  default PositionalScheme inBlock(int block) {
    return this;
  }

  /**
   * {@return after how many blocks their schemes repeat: 1, unless blocks have schemes of their
   * own}
   */
  default int period() {
    return 1;
  }

  /**
   * Calls the method for this scheme's form of attention.
   *
   * @param <R> what the method returns
   * @param form one method for each form
   */
  <R> R accept(AttentionForm<R> form);

  /**
   * {@return where the scheme's absolute positions come from; {@link PositionTable#NONE} for most
   * schemes, which add none to token embeddings}
   */
  default PositionTable positionTable() {
    return PositionTable.NONE;
  }

  /** The positions that a scheme adds to token embeddings. */
  enum PositionTable {
    /** No positions are added. */
    NONE,
    /** Sines and cosines; token embeddings are multiplied by sqrt(d) first. */
    SINUSOIDAL,
    /** Learned rows. */
    LEARNED
  }

  /**
   * {@return whether the scheme changes anything in a model; false for {@code none} alone} A
   * formula that is always 0 counts as a change. A recurrent network, which has no attention, can
   * have only a scheme that changes nothing.
   */
  default boolean changesModel() {
    return true;
  }

  /**
   * {@return the standard deviation of the first values of token embeddings: 0.02, as in GPT-2,
   * unless the scheme multiplies embeddings}
   *
   * @param width d
   */
  default double tokenDeviation(int width) {
    return 0.02;
  }

  /**
   * {@return the descriptions of the learnable numbers that this scheme adds to a model, in the
   * order in which they are stored; empty if there are none}
   *
   * @param heads H
   * @param width d
   */
  default List<PositionalParameter> parameters(int heads, int width) {
    return List.of();
  }

  /**
   * Checks that a model of this shape can have this scheme.
   *
   * @param heads H, a divisor of the width
   * @param width d
   * @throws IllegalArgumentException if it cannot, with the expected and the found value
   */
  default void requireShape(int heads, int width) {}

  /**
   * Checks that a scheme with {@linkplain #numCarried gates} fits to both widths of a model.
   *
   * @param attentionWidth H D
   * @param width d
   * @throws IllegalArgumentException if it does not, with the expected and the found value
   */
  default void requireRows(int attentionWidth, int width) {}

  /**
   * {@return the scheme as a model that is trained with it stores it; this scheme unless its
   * formula uses T_tr}
   *
   * @param length T_tr, the length of training sequences
   * @param heads H
   * @param width d
   * @param layers K, the number of distinct blocks
   * @throws IllegalArgumentException if a bias up to T_tr is not finite, with the distance
   */
  default PositionalScheme trainedAt(int length, int heads, int width, int layers) {
    return this;
  }

  /**
   * {@return what a reader needs to know beyond the name and the settings: the formulas and the
   * form of attention of a formula scheme; the rule and the source of a scheme by rows; empty for
   * all others}
   */
  default List<String> described() {
    return List.of();
  }

  /**
   * Checks that the biases of one block are finite.
   *
   * @param values the learnable numbers of the block
   * @throws IllegalArgumentException if one is not, with the distance; never for a built-in scheme
   */
  default void requireFinite(PositionalValues values, long length) {}

  /**
   * {@return the number of blocks for which a caller of {@link #requireFinite} must call it: 0 for
   * a built-in scheme, whose biases are always finite; 1 for a formula whose biases are the same in
   * all blocks; otherwise K}
   *
   * @param layers K, the number of distinct blocks
   */
  default int numBlocksToCheck(int layers) {
    return 0;
  }

  /**
   * {@return the number of positions of the longest sequence that a model with this scheme can
   * read; {@link Long#MAX_VALUE} unless the scheme has a table of positions} Callers check it
   * before they run the model.
   */
  default long longestLength() {
    return Long.MAX_VALUE;
  }

  /**
   * {@return whether {@link #scaled} accepts a scaling: true for {@link PositionScaling#NONE}, and
   * for all scalings if the scheme rotates distances beyond the training length}
   *
   * @param scaling the treatment of positions beyond the training length
   * @param trainLength T_tr
   */
  default boolean isScaledBy(PositionScaling scaling, int trainLength) {
    return scaling.equals(PositionScaling.NONE);
  }

  /**
   * {@return the scheme that replaces this one at test time, with the same learnable numbers}
   * Blocks whose windows or chunks are no longer than T_tr keep their rotations.
   *
   * @param scaling the treatment of positions beyond the training length
   * @param trainLength T_tr
   * @throws IllegalArgumentException if this scheme has no rotations to scale
   */
  default PositionalScheme scaled(PositionScaling scaling, int trainLength) {
    if (!isScaledBy(scaling, trainLength)) {
      throw new IllegalArgumentException(label() + " has no rotations to scale");
    }
    return this;
  }

  /**
   * {@return why this scheme cannot have a {@link Temperature}; empty for a softmax over a number
   * of keys that is known before the scores}
   */
  default Optional<String> noTemperature() {
    return Optional.empty();
  }

  /**
   * {@return whether {@link #tempered} accepts a temperature; always true for {@link
   * TestTemperature#NONE}}
   *
   * @param temperature a temperature at test time
   */
  default boolean isTemperedBy(TestTemperature temperature) {
    return temperature.temperature().isEmpty() || noTemperature().isEmpty();
  }

  /**
   * {@return the scheme that replaces this one at test time, with the same learnable numbers}
   *
   * @param temperature a temperature at test time
   * @param trainLength T_tr
   * @throws IllegalArgumentException if this scheme has {@linkplain #noTemperature none}
   */
  default PositionalScheme tempered(TestTemperature temperature, int trainLength) {
    return temperature
        .temperature()
        .<PositionalScheme>map(it -> new Tempered(this, it.trainedAt(trainLength)))
        .orElse(this);
  }

  /**
   * {@return the positions or distances that stand for 0..T-1 in a pass; empty unless the scheme
   * draws them}
   *
   * @param seed the seed of the pass
   * @param length T, at most {@link #longestLength}
   */
  default Optional<PositionSample> sample(long seed, int length) {
    return Optional.empty();
  }

  /**
   * {@return the scheme whose references compute a pass: this scheme, or one with a {@link
   * #sample}}
   *
   * @param seed the seed of the pass
   * @param length T, at most {@link #longestLength}
   */
  default PositionalScheme drawn(long seed, int length) {
    return this;
  }

  /**
   * {@return the numbers that each position carries beside its queries, keys and values: 0, or H
   * for a scheme with gates, also if only some of its blocks have them} A block projects them from
   * the rows from which keys come, by the scheme's parameters {@code c_f.weight} and {@code
   * c_f.bias}. They stand behind the values.
   *
   * @param heads H
   */
  default int numCarried(int heads) {
    return 0;
  }

  /**
   * {@return the numbers of each pair of a query and a key, for all heads, that a layer computes
   * beside the score of a dense scheme, and keeps for its backward pass; 0 for most schemes}
   *
   * @param heads H
   */
  default long numbersOfPair(int heads) {
    return 0;
  }

  /**
   * {@return the H slopes of a bias that is minus a slope times the distance, where every earlier
   * position is a key, in the order of the heads; empty unless the scheme is ALiBi}
   *
   * @param heads H, at least 1
   */
  default Optional<double[]> linearSlopes(int heads) {
    return Optional.empty();
  }

  /** {@return what queries see; every earlier position for most schemes} */
  default Reach reach() {
    return Reach.EARLIER;
  }

  /**
   * {@return whether a pass over T + 1 positions has the executed layers of a pass over T, with the
   * same results at the first T positions; true unless the number of levels or the rotations depend
   * on the length} If so, a model that generates text can keep these results.
   *
   * @param length T, at least 1
   */
  default boolean keepsResults(long length) {
    return true;
  }

  /**
   * {@return whether a pass that scores a text also reads its last token, which no score needs:
   * true for a RoPE whose own scaling depends on the length, because the software that defines this
   * scaling counts all tokens of the text}
   */
  default boolean countsLastToken() {
    return false;
  }

  /**
   * {@return whether attention depends on positions by the distance m - n alone, in sequences of
   * every length} It does not if query, key, level or T matter in another way, or if a query sees
   * neither all earlier keys nor a window.
   */
  default boolean attendsByDistance() {
    return true;
  }

  /**
   * {@return the reference input of the first block, in plain doubles: the token's embedding with
   * its position, or unchanged}
   *
   * @param token_d the token's embedding
   * @param position m, at least 0
   */
  default double[] embed(double[] token_d, PositionalValues values, long position) {
    return token_d;
  }

  /**
   * {@return a query or a key, in plain doubles, rotated by its position by the reference, or
   * unchanged}
   *
   * @param vector_D a query or a key of one head
   * @param position m, at least 0
   * @param length T, the length of the whole sequence
   */
  default double[] rotate(double[] vector_D, long position, long length) {
    return vector_D;
  }

  /**
   * {@return the reference score without its bias, in plain doubles: q k / sqrt(D), unless the
   * scheme changes it}
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
   * {@return the reference bias, in plain doubles, that is added to the scaled score, or negative
   * infinity if the query does not see the key}
   *
   * @param values the learnable numbers of one block
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param query m, at least 0; only FIRE and formulas use it
   * @param distance delta = m - n, from 0 to m; negative only if {@link #hasLaterKeys}
   */
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    return 0;
  }

  /**
   * {@return the reference scores [N] of one query over its keys, biases included, in plain
   * doubles: {@link #score} plus {@link #bias}, unless the scheme needs the rows of other keys}
   *
   * @param rows the rows of the sequence
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param query m, at least 0
   */
  default double[] scores(ReferenceAttention.Rows rows, int head, int level, int query) {
    return rows.scores(this, head, level, query);
  }

  /**
   * {@return the reference weights [N] of a query's values, in plain doubles: the softmax of its
   * scores, unless the scheme has another normaliser}
   *
   * @param scores_N the query's {@link #scores}
   */
  default double[] weights(double[] scores_N) {
    return ReferenceAttention.softmax(scores_N);
  }
}
