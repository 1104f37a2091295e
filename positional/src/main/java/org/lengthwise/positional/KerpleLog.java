package org.lengthwise.positional;

import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * KERPLE, logarithmic variant: bias = -p<sub>h</sub> ln(1 + a<sub>h</sub> delta), with p and a at
 * least 0.01.
 */
public record KerpleLog() implements Kerple {
  static final String NAME = "kerple-log";

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public Bounds boundsOfP() {
    return FACTOR_BOUNDS;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double p = boundsOfP().clamp(values.at("p", head));
    double a = FACTOR_BOUNDS.clamp(values.at("a", head));
    return -p * Math.log1p(a * distance);
  }
}
