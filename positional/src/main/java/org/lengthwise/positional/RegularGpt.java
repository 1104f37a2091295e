package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
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
 * positions. The paper writes C/K, such as 128/12; K, the thickness, is {@code model.layers}.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 3.
 *
 * @param chunk C, the number of keys that a query sees at each level
 * @param edge what a query finds before the start of a sequence
 */
@JsonTypeName("regulargpt")
public record RegularGpt(@Unit("positions") int chunk, @AbsentMeans("\"absent\"") Edge edge)
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

  public RegularGpt {
    Checks.atLeast("chunk", chunk, 2);
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
    int levels = 1;
    for (long reach = chunk; reach < length; reach *= chunk) {
      levels++;
    }
    return levels;
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
