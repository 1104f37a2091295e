package org.lengthwise.positional;

import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * KERPLE, power variant: bias = -a<sub>h</sub> delta<sup>p<sub>h</sub></sup>, with a at least 0.01
 * and p between 0.01 and 2.
 */
public record KerplePower() implements Kerple {
  static final String NAME = "kerple-power";

  private static final Bounds EXPONENT_BOUNDS = new Bounds(0.01, 2);

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public Bounds boundsOfP() {
    return EXPONENT_BOUNDS;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double p = EXPONENT_BOUNDS.clamp(values.at("p", head));
    double a = FACTOR_BOUNDS.clamp(values.at("a", head));
    return -a * Math.pow((double) distance, p);
  }
}
