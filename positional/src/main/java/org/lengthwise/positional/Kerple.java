package org.lengthwise.positional;

import java.util.List;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * KERPLE: a learned penalty that grows with the distance. Each head has two numbers p and a, which
 * all blocks share. First values: p uniform on [0, 2), a uniform on [0, 1).
 *
 * <p>Source: Chi, Fan, Ramadge and Rudnicky, "KERPLE: Kernelized Relative Positional Embedding for
 * Length Extrapolation", NeurIPS 2022.
 */
public sealed interface Kerple extends DistanceBias permits KerpleLog, KerplePower {
  Bounds FACTOR_BOUNDS = new Bounds(0.01, Double.POSITIVE_INFINITY);

  Bounds boundsOfP();

  @Override
  default List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        byHead("p", heads, new Initial.Uniform(0, 2), boundsOfP()),
        byHead("a", heads, new Initial.Uniform(0, 1), FACTOR_BOUNDS));
  }

  private static PositionalParameter byHead(
      String name, int heads, Initial initial, Bounds bounds) {
    return new PositionalParameter(
        name, List.of(heads), PositionalParameter.Scope.MODEL, initial, bounds);
  }
}
