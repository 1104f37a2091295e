package org.lengthwise.positional;

import java.util.List;

/**
 * RegularGPT: sliding-dilated attention, adaptive depth, and weight sharing with thickening.
 *
 * <p>At level l a query m attends to a key n iff m - n = j C<sup>l</sup> with j in 0..C-1; the bias
 * is the learned r[h, j]. Each of the K distinct blocks has its own r [H, C], used again at every
 * level. All K blocks run at dilation C<sup>0</sup>, then the same K at C<sup>1</sup>, and so on
 * for L = max(1, ceil(log<sub>C</sub> T)) levels, after which the last position has seen all T.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Transformer Working Memory Enables Regular Language
 * Reasoning and Natural Language Length Extrapolation", Findings of EMNLP 2023, section 4.
 *
 * @param chunk C, at least 2
 * @param thickness K, the number of distinct blocks, at least 1
 */
public record RegularGpt(int chunk, int thickness) implements PositionalScheme {
  static final String NAME = "regulargpt";

  /** Checks the values. */
  public RegularGpt {
    if (chunk < 2) {
      throw new IllegalArgumentException("chunk: expected at least 2, found " + chunk);
    }
    if (thickness < 1) {
      throw new IllegalArgumentException("thickness: expected at least 1, found " + thickness);
    }
  }

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "r",
            List.of(heads, chunk),
            PositionalParameter.Scope.BLOCK,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE));
  }

  @Override
  public void requireShape(int layers, int heads, int width) {
    if (layers != thickness) {
      throw new IllegalArgumentException(
          "model layers must be regulargpt's thickness %d, the number of distinct blocks, found %d"
              .formatted(thickness, layers));
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Computed in integers: floating logarithms give one level too many for C = 5, T = 125.
   */
  @Override
  public int levels(long length) {
    int levels = 1;
    for (long reach = chunk; reach < length; reach *= chunk) {
      levels++;
    }
    return levels;
  }

  /**
   * The distance between neighbouring keys of one query at a level.
   *
   * @param level l, at least 0
   * @return C<sup>l</sup>
   * @throws ArithmeticException if that exceeds a long
   */
  public long dilation(int level) {
    long dilation = 1;
    for (int l = 0; l < level; l++) {
      dilation = Math.multiplyExact(dilation, chunk);
    }
    return dilation;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    long dilation = dilation(level);
    long step = distance / dilation;
    return distance % dilation == 0 && step < chunk
        ? values.at("r", head * chunk + (int) step)
        : Double.NEGATIVE_INFINITY;
  }
}
