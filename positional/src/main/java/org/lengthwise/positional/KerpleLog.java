package org.lengthwise.positional;

import java.util.List;

/**
 * KERPLE, logarithmic variant: a learned penalty that grows with the logarithm of the distance.
 *
 * <p>bias = -p<sub>h</sub> ln(1 + a<sub>h</sub> delta), with p and a at least 0.01, one pair for
 * each head, shared by all blocks. First values: p uniform on [0, 2), a uniform on [0, 1).
 *
 * <p>Source: Chi, Fan, Ramadge and Rudnicky, "KERPLE: Kernelized Relative Positional Embedding for
 * Length Extrapolation", NeurIPS 2022.
 */
public record KerpleLog() implements PositionalScheme {
  static final String NAME = "kerple-log";

  /** The interval that both parameters are kept in. */
  public static final PositionalParameter.Bounds BOUNDS =
      new PositionalParameter.Bounds(0.01, Double.POSITIVE_INFINITY);

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "p",
            List.of(heads),
            PositionalParameter.Scope.MODEL,
            new Initial.Uniform(0, 2),
            BOUNDS),
        new PositionalParameter(
            "a",
            List.of(heads),
            PositionalParameter.Scope.MODEL,
            new Initial.Uniform(0, 1),
            BOUNDS));
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double p = BOUNDS.clamp(values.at("p", head));
    double a = BOUNDS.clamp(values.at("a", head));
    return -p * Math.log1p(a * distance);
  }
}
