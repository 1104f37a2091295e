package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.config.Checks;

/**
 * RoPE: rotary position embedding. Pair i of a query or key at position m is rotated by m
 * base<sup>-2i/D</sup>. The scheme has no learnable numbers and adds no bias.
 *
 * <p>A model with this scheme reads sequences of any length, but the angles of distances beyond the
 * training length are new to it. {@link #scaled} changes these angles at test time.
 *
 * <p>Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
 * section 3.2, with base 10,000.
 *
 * @param base the base of the powers that give the frequencies
 */
@JsonTypeName("rope")
public record Rope(double base) implements Rotary {
  /** Requires a finite base above 1. */
  public Rope {
    Checks.above("base", base, 1);
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
