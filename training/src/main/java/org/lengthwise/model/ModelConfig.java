package org.lengthwise.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionTable;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RecurrenceShape;

/**
 * The shape of a model.
 *
 * @param layers K, the number of distinct blocks
 * @param width d, the width of the residual stream; a multiple of heads, unless {@code form} states
 *     the width of a head
 * @param heads H, the query heads of a block
 * @param vocabulary V, the number of token ids
 * @param position the positional scheme
 * @param recurrence what is carried from chunk to chunk
 * @param form the options of the blocks
 * @param labels N, the number of labels of a classifier, which reads the last position; 0 for a
 *     language model
 * @param kind what the model is made of
 */
public record ModelConfig(
    int layers,
    int width,
    int heads,
    int vocabulary,
    PositionalScheme position,
    @AbsentMeans("{\"kind\":\"none\"}") Recurrence recurrence,
    @AbsentMeans("{}") DecoderForm form,
    @AbsentMeans("0") int labels,
    @AbsentMeans("\"decoder\"") Kind kind) {
  /** What a model is made of. */
  public enum Kind {
    /** Blocks of attention and an MLP. */
    DECODER,
    /** A recurrent network, a classifier of strings. It has no blocks, heads and positions. */
    RNN(1),

    /** A recurrent network with a memory cell and three gates, otherwise as {@link #RNN}. */
    LSTM(4);

    private final int sums;

    Kind() {
      this(0);
    }

    Kind(int sums) {
      this.sums = sums;
    }

    /** {@return whether this is a recurrent network, and not blocks} */
    public boolean isNetwork() {
      return sums > 0;
    }

    /** {@return the sums of inputs and states that a unit of a recurrent network computes} */
    public int sums() {
      return sums;
    }
  }

  /** Requires positive numbers, and heads that divide the width and are divided by G. */
  public ModelConfig {
    Checks.atLeast("layers", layers, 1);
    Checks.atLeast("width", width, 1);
    Checks.atLeast("heads", heads, 1);
    Checks.atLeast("vocabulary", vocabulary, 1);
    requireHeads(width, heads, form.attention());
    Checks.atLeast("labels", labels, 0);
    Checks.require(
        labels == 0 || form.tokens().equals(TokenForm.GPT2),
        "tokens",
        "tied embeddings of width d, because a classifier has no output of tokens",
        form.tokens());
    position.requireShape(heads, headWidth(width, heads, form), width);
    recurrence.requireModel(layers, position, form);
    position.reach().blocksOfLevel(layers); // requires blocks for each level
    Checks.require(
        form.attention().equals(HeadForm.GPT2) || linear(layers, position, heads, width) == 0,
        "model.attention",
        "the form of GPT-2, because blocks have a linear recurrence",
        form.attention());
    Checks.require(
        kind == Kind.DECODER || labels > 0,
        "labels",
        "at least 1 for an " + EnumName.of(kind),
        labels);
  }

  /**
   * Requires heads that divide the width, and are divided by the heads of keys.
   *
   * @throws IllegalArgumentException if they do not
   */
  public static void requireHeads(int width, int heads, HeadForm form) {
    Checks.require(
        form.headWidth() > 0 || width % heads == 0, "heads", "a divisor of width " + width, heads);
    Checks.require(
        form.keyHeads() == 0 || heads % form.keyHeads() == 0,
        "attention.key_heads",
        "a divisor of heads " + heads,
        form.keyHeads());
  }

  /**
   * A decoder without recurrence.
   *
   * @param labels N, the number of labels of a classifier; 0 for a language model
   */
  public ModelConfig(
      int layers,
      int width,
      int heads,
      int vocabulary,
      PositionalScheme position,
      DecoderForm form,
      int labels) {
    this(layers, width, heads, vocabulary, position, Recurrence.none(), form, labels, Kind.DECODER);
  }

  /** A language model with the blocks of GPT-2. */
  public ModelConfig(int layers, int width, int heads, int vocabulary, PositionalScheme position) {
    this(layers, width, heads, vocabulary, position, DecoderForm.GPT2, 0);
  }

  /** {@return whether the model gives one label to its whole input; false for a language model} */
  @JsonIgnore
  public boolean isClassifier() {
    return labels > 0;
  }

  /**
   * {@return the factor of token embeddings before the positional scheme changes them, sqrt(d) or
   * 1} Sinusoidal positions have a factor sqrt(d) of their own, which is not applied twice.
   */
  double embeddingScale() {
    boolean isScaled =
        form.embeddingScale() == DecoderForm.EmbeddingScale.SQRT_WIDTH
            && position.positionTable() != PositionTable.SINUSOIDAL;
    return isScaled ? Math.sqrt(width) : 1;
  }

  /** {@return D, the width of a head: d / H unless the form states another} */
  public int headWidth() {
    return headWidth(width, heads, form);
  }

  private static int headWidth(int width, int heads, DecoderForm form) {
    int stated = form.attention().headWidth();
    return stated > 0 ? stated : width / heads;
  }

  /** {@return H D, the width of all queries of a position; d unless the form states D} */
  public int attentionWidth() {
    return heads * headWidth();
  }

  /** {@return G, the heads of keys and values: H unless the form states fewer} */
  public int keyHeads() {
    int stated = form.attention().keyHeads();
    return stated > 0 ? stated : heads;
  }

  /** {@return G D, the width of all keys of a position, and of all its values} */
  public int keyWidth() {
    return keyHeads() * headWidth();
  }

  /** The number of blocks with a linear recurrence. */
  private static long linear(int layers, PositionalScheme position, int heads, int width) {
    return IntStream.range(0, layers)
        .filter(k -> position.inBlock(k).recurrence(heads, width).isPresent())
        .count();
  }

  /** {@return the linear recurrence of block k, if it has one in place of attention} */
  public Optional<RecurrenceShape> linear(int block) {
    return position.inBlock(block).recurrence(heads, width);
  }

  /** {@return the shapes of the states of one sequence, of each block with a linear recurrence} */
  public Map<Integer, List<long[]>> states() {
    Map<Integer, List<long[]>> states = new TreeMap<>();
    IntStream.range(0, layers)
        .forEach(k -> linear(k).ifPresent(shape -> states.put(k, shape.state())));
    return states;
  }

  /** {@return the float32 bytes of the states of one sequence, of all linear recurrences} */
  public long stateBytes() {
    return states().values().stream()
        .flatMap(List::stream)
        .mapToLong(shape -> Arrays.stream(shape).reduce(Float.BYTES, (a, b) -> a * b))
        .sum();
  }

  /** {@return whether a block has attention, and not a linear recurrence} */
  public boolean hasAttention() {
    return linear(layers, position, heads, width) < layers;
  }

  /**
   * {@return the mean of a number of each block} Blocks of the same scheme have the same number.
   */
  double meanOfBlocks(IntToDoubleFunction number) {
    int period = position.period();
    return IntStream.range(0, Math.min(period, layers))
            .mapToDouble(k -> number.applyAsDouble(k) * ((layers - 1 - k) / period + 1))
            .sum()
        / layers;
  }

  /** {@return the rows of {@code c_attn} in a block: those of queries, keys and values} */
  public int numProjected(int block) {
    return linear(block).map(RecurrenceShape::projected).orElse(attentionWidth() + 2 * keyWidth());
  }

  /**
   * {@return the numbers that each position carries behind its values in a block: H with gates,
   * otherwise 0}
   */
  public int numCarried(int block) {
    return position.inBlock(block).cost(heads).numCarried();
  }

  /** {@return F, the inner width of the MLP: 4 d unless the form states another} */
  public int mlpWidth() {
    return form.mlp().width() > 0 ? form.mlp().width() : 4 * width;
  }

  /** {@return e, the width of token embeddings: d unless the form states another} */
  public int tokenWidth() {
    return form.tokens().isProjected() ? form.tokens().width() : width;
  }

  /**
   * {@return the width that the scheme's tensors have: that of the residual stream if the scheme
   * adds to embeddings or reads rows, otherwise that of attention}
   */
  public int positionalWidth() {
    return position.cost(heads).numCarried() > 0
        ? width
        : positionalWidth(width, heads, position, form);
  }

  private static int positionalWidth(
      int width, int heads, PositionalScheme position, DecoderForm form) {
    return position.positionTable() == PositionTable.NONE
        ? heads * headWidth(width, heads, form)
        : width;
  }

  /**
   * {@return the shape of this model with another scheme that has the same parameters}
   *
   * @param scheme the scheme, for example {@linkplain PositionalScheme#scaled scaled} at test time
   */
  public ModelConfig with(PositionalScheme scheme) {
    return new ModelConfig(
        layers, width, heads, vocabulary, scheme, recurrence, form, labels, kind);
  }

  /** {@return the shape of this model with another recurrence} */
  public ModelConfig with(Recurrence other) {
    return new ModelConfig(layers, width, heads, vocabulary, position, other, form, labels, kind);
  }

  /** {@return the number of executed layers: K L, or K N under a Staircase of N passes} */
  public int executedLayers(long length) {
    return blocksOfLevel() * position.reach().levels(length) * recurrence.passes();
  }

  /** {@return the blocks that run at each level: K, unless each level has its own} */
  public int blocksOfLevel() {
    return position.reach().blocksOfLevel(layers);
  }

  /**
   * {@return the number of positions that run through the blocks together: T, or the row of a
   * Staircase}
   */
  public int rowLength(int length) {
    return recurrence.rowLength(length);
  }

  /**
   * {@return the number of full rows that hold all passes over a sequence: N T over the length of a
   * row, rounded up; 1 without recurrence}
   */
  public long fullRows(int length) {
    int row = rowLength(length);
    return ((long) recurrence.passes() * length + row - 1) / row;
  }

  /**
   * {@return the chunk C of a recurrence, otherwise 1} A text that is read anew begins at a
   * multiple of it.
   */
  public int chunk() {
    return recurrence.chunk();
  }

  /**
   * {@return whether a text of any length can be read with a state of constant size; false for a
   * model that keeps the keys of every position}
   */
  public boolean hasBoundedState() {
    return recurrence.hasBoundedState(position) || !hasAttention();
  }

  /**
   * {@return whether the scheme can be changed so at test time; always true for {@link
   * PositionChange#NONE}}
   *
   * @param trainLength T_tr
   */
  public boolean allows(PositionChange change, int trainLength) {
    return change.equals(PositionChange.NONE)
        || (kind == Kind.DECODER
            && recurrence.allows(change)
            && change.suits(position, trainLength));
  }

  /**
   * {@return the theoretical receptive field: the number of latest positions that the last position
   * can depend on, itself included, from 1 to T}
   */
  public long receptiveField(long length) {
    return recurrence.receptiveField(layers, position, length);
  }

  /**
   * {@return the number of positions that a block computes if only the last position is needed,
   * from 1 to T}
   */
  public long positionsForLast(int length) {
    return recurrence.positionsForLast(layers, position, length);
  }

  /**
   * {@return the number of positions that a training pass computes at a level; T for a language
   * model}
   *
   * @param level l, from 0 to L; L for the results of the last level
   */
  public long rows(int level, long length) {
    return isClassifier() ? position.reach().rowsForLast(level, length) : length;
  }

  /** {@return the number of parameters, where the tied output projection counts once} */
  public long numParameters() {
    return ParameterLayout.numParameters(this);
  }

  /**
   * {@return the number of parameters of the positional scheme, which {@link #numParameters}
   * includes}
   */
  public long numPositionalParameters() {
    return ParameterLayout.numPositional(this);
  }

  /** {@return the number of parameters in a block without the positional scheme} */
  public long numBlockParameters(int block) {
    return ParameterLayout.numBlock(this, block);
  }

  /**
   * {@return the floating-point operations of one training token, forward and backward} The usual
   * estimate: 6 N + 12 H D T per executed layer, with N the executed block parameters plus the
   * output projection. Attention counts as dense, also where a window computes fewer scores. A
   * classifier has one output for a string, and RegularGPT computes only the rows that the last
   * position depends on; the scores of these few keys are not counted. A Staircase counts the
   * scores of its rows, and block recurrence adds the work of the states. A recurrent network
   * multiplies its state by one matrix. A block with a linear recurrence has 6 for each product of
   * its chunks in place of 12 H D T.
   */
  public double flopsPerToken(int length) {
    return new Flops(this).perToken(length);
  }
}
