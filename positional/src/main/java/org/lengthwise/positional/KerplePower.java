package org.lengthwise.positional;

import java.util.List;

/**
 * KERPLE, power variant: a learned penalty that grows with a learned power of the distance.
 *
 * <p>bias = -a<sub>h</sub> delta<sup>p<sub>h</sub></sup>, with a at least 0.01 and p between 0.01
 * and 2, one pair for each head, shared by all blocks. First values: p uniform on [0, 2), a uniform
 * on [0, 1).
 *
 * <p>Source: Chi, Fan, Ramadge and Rudnicky, "KERPLE: Kernelized Relative Positional Embedding for
 * Length Extrapolation", NeurIPS 2022.
 */
public record KerplePower() implements PositionalScheme {
  static final String NAME = "kerple-power";

  /** The interval that the exponent p is kept in. */
  public static final PositionalParameter.Bounds EXPONENT_BOUNDS =
      new PositionalParameter.Bounds(0.01, 2);

  /** The interval that the factor a is kept in. */
  public static final PositionalParameter.Bounds FACTOR_BOUNDS =
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
            EXPONENT_BOUNDS),
        new PositionalParameter(
            "a",
            List.of(heads),
            PositionalParameter.Scope.MODEL,
            new Initial.Uniform(0, 1),
            FACTOR_BOUNDS));
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double p = EXPONENT_BOUNDS.clamp(values.at("p", head));
    double a = FACTOR_BOUNDS.clamp(values.at("a", head));
    return -a * Math.pow((double) distance, p);
  }
}
