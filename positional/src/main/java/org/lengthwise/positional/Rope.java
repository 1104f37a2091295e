package org.lengthwise.positional;

/**
 * RoPE: rotary position embedding. Pair i of a query or key at position m is turned by m
 * base<sup>-2i/D</sup>; nothing is learned, nothing added to scores.
 *
 * <p>Any length runs, but angles of distances that training never saw mislead the model; {@link
 * #scaled} is what is done about it at test time.
 *
 * <p>Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
 * section 3.2, with base 10,000.
 *
 * @param base above 1
 */
public record Rope(double base) implements Rotary {
  static final String NAME = "rope";

  /** Checks the values. */
  public Rope {
    if (!(base > 1 && base < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("base: expected a number above 1, found " + base);
    }
  }

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public double[] frequencies(int headWidth, long length) {
    double[] frequencies = new double[headWidth / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = Math.pow(base, -2.0 * i / headWidth);
    }
    return frequencies;
  }

  @Override
  public boolean isScaledBy(PositionScaling scaling) {
    return true;
  }

  @Override
  public PositionalScheme scaled(PositionScaling scaling, int trainLength) {
    return scaling == PositionScaling.NONE ? this : new ScaledRope(this, scaling, trainLength);
  }
}
