package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter.BiasTable;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * RegularGPT: sliding-dilated attention, adaptive depth, and weight sharing with thickening.
 *
 * <p>At level l, query m attends to key n if and only if m - n = j C<sup>l</sup> with j in 0..C-1.
 * The bias is the learned r[h, j]. Each of the K blocks has its own r [H, C] and uses it at every
 * level. All K blocks run at dilation C<sup>0</sup>, then the same K blocks at C<sup>1</sup>, and
 * so on for L = max(1, ceil(log<sub>C</sub> T)) levels. Then the last position has seen all T
 * positions. A fixed depth, and blocks of their own for each level, take two of the three parts
 * away. The paper writes C/K, such as 128/12; K, the thickness, is {@code model.layers}.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 3.
 *
 * @param chunk C, the number of keys that a query sees at each level
 * @param edge what a query finds before the start of a sequence
 * @param depth L at every length, as in shallow models of automata (Liu et al. 2023); 0 for a depth
 *     that grows with the length
 * @param share whether all levels run the same blocks. Otherwise {@code model.layers} is a multiple
 *     of the depth, and each level has its part of the blocks
 */
@JsonTypeName("regulargpt")
public record RegularGpt(
    @Unit("positions") int chunk,
    @AbsentMeans("\"absent\"") Edge edge,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @AbsentMeans("0") @Unit("levels") int depth,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Shared.class)
        @AbsentMeans("true")
        boolean share)
    implements PositionalScheme, Reach {
  public enum Edge {
    /** No keys. On a string of equal tokens, all positions of a level then have equal rows. */
    ABSENT,
    /**
     * The pad, a learned row of each block, as the code of the authors does. It stands before the
     * start at every level, and enters attention as rows of the level do.
     */
    PAD
  }

  /** The positions that the levels of a fixed depth may see; no model is trained on more. */
  private static final int MOST_POSITIONS = 1 << 20;

  public RegularGpt {
    Checks.atLeast("chunk", chunk, 2);
    Checks.atLeast("depth", depth, 0);
    Checks.require(
        Math.pow(chunk, depth) <= MOST_POSITIONS,
        "depth",
        "a depth for which chunk^depth is %s or less".formatted(MOST_POSITIONS),
        depth);
    Checks.require(
        share || depth > 0,
        "share",
        "true, unless depth is the number of levels, because a growing depth needs the same blocks"
            + " again",
        share);
  }

  /** Equals the default of {@code share}, so that older runs have the same description. */
  static final class Shared {
    @Override
    public boolean equals(@Nullable Object value) {
      return Boolean.TRUE.equals(value);
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  public RegularGpt(int chunk, Edge edge) {
    this(chunk, edge, 0, true);
  }

  public RegularGpt(int chunk) {
    this(chunk, Edge.ABSENT);
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    long dilation = dilation(level);
    long index = distance / dilation;
    return distance % dilation == 0 && index < chunk
        ? values.at("r", head * chunk + (int) index)
        : Double.NEGATIVE_INFINITY;
  }

  @Override
  public OptionalDouble neutral(String parameter) {
    return parameter.equals("r") ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    PositionalParameter r_HC =
        new PositionalParameter(
            "r",
            List.of(heads, chunk),
            PositionalParameter.Scope.BLOCK,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE,
            Optional.of(new BiasTable(1, 1)));
    PositionalParameter pad_d =
        PositionalParameter.ofBlock("pad", List.of(width), new Initial.Normal(0.02));
    return edge == Edge.PAD ? List.of(r_HC, pad_d) : List.of(r_HC);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.dilated(this);
  }

  @Override
  public Reach reach() {
    return this;
  }

  @Override
  public boolean seesAllKeys() {
    return false;
  }

  /** Computed in integers: floating logarithms give one level too many for C = 5, T = 125. */
  @Override
  public int levels(long length) {
    if (depth > 0) {
      return depth;
    }
    int levels = 1;
    for (long reach = chunk; reach < length; reach *= chunk) {
      levels++;
    }
    return levels;
  }

  @Override
  public int blocksOfLevel(int layers) {
    Checks.require(
        share || layers % depth == 0,
        "layers",
        "a multiple of position.depth " + depth + ", because position.share is false",
        layers);
    return share ? layers : layers / depth;
  }

  /** {@inheritDoc} A fixed depth bounds it: each block of level l adds (C - 1) C<sup>l</sup>. */
  @Override
  public long receptiveField(int layers, long length) {
    if (depth == 0) {
      return length;
    }
    long reach = 1; // C^depth, or the length if that is shorter
    for (int level = 0; level < depth && reach < length; level++) {
      reach *= chunk;
    }
    return Math.min(length, 1 + blocksOfLevel(layers) * (reach - 1));
  }

  @Override
  public long firstRow(int block, int layers, long length) {
    return length - receptiveField(layers, length);
  }

  @Override
  public boolean hasDilation() {
    return true;
  }

  @Override
  public long dilation(int level) {
    long dilation = 1;
    for (int l = 0; l < level; l++) {
      dilation = Math.multiplyExact(dilation, chunk);
    }
    return dilation;
  }

  /** {@return ceil(T / C<sup>l</sup>)} */
  @Override
  public long rowsForLast(int level, long length) {
    return (length - 1) / dilation(level) + 1;
  }

  /** {@return (C - 1) C<sup>l</sup> with a pad, otherwise 0} */
  @Override
  public long padding(int level) {
    return edge == Edge.PAD ? (chunk - 1) * dilation(level) : 0;
  }

  @Override
  public LengthUse lengths() {
    return new LengthUse(Long.MAX_VALUE, length -> levels(length) == levels(length + 1), false);
  }

  @Override
  public boolean attendsByDistance() {
    return false;
  }

  @Override
  public Optional<String> noTemperature() {
    return Optional.of("the levels of regulargpt have the same number of keys at every length");
  }
}
