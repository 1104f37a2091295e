package org.lengthwise.positional;

import java.util.List;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * FIRE: a small network of the distance, taken relative to the query's own position, so that what
 * it sees stays between 0 and 1 at any length.
 *
 * <p>bias = f<sub>h</sub>(psi(m - n) / psi(max(L, m))), psi(x) = ln(c x + 1), with f an MLP from 1
 * number over 32 rectified units to one number for each head. Each block has its own f, c and L. Up
 * to the learned threshold L = {@code threshold} times the multiplier {@code l} the bias depends on
 * the distance alone; beyond it on the query's position too, so a sequence that begins later has
 * other biases. It never depends on how long the sequence goes on.
 *
 * <p>First values: c 0.1, l 1, weights and biases of the MLP uniform on +-1/sqrt(inputs). Positions
 * count from 0.
 *
 * <p>Source: Li et al., "Functional Interpolation for Relative Positions Improves Long Context
 * Transformers", ICLR 2024, section 3; not its variant FIRE-S, whose blocks share one f.
 *
 * @param threshold the first L, in tokens, above 0
 */
public record Fire(double threshold) implements PositionalScheme {
  static final String NAME = "fire";

  /** The MLP's hidden units. */
  public static final int HIDDEN = 32;

  /** The interval that c and l are kept in, so that psi of any positive number is positive. */
  public static final Bounds BOUNDS = new Bounds(1e-3, Double.POSITIVE_INFINITY);

  /** Checks the values. */
  public Fire {
    if (!(threshold > 0 && threshold < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "threshold: expected a number above 0, found " + threshold);
    }
  }

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        constant("fire.c", 0.1),
        constant("fire.l", 1),
        linear("fire.c_fc.weight", List.of(HIDDEN, 1), 1),
        linear("fire.c_fc.bias", List.of(HIDDEN), 1),
        linear("fire.c_proj.weight", List.of(heads, HIDDEN), HIDDEN),
        linear("fire.c_proj.bias", List.of(heads), HIDDEN));
  }

  private static PositionalParameter constant(String name, double value) {
    return new PositionalParameter(
        name, List.of(1), Scope.BLOCK, new Initial.Constant(value), BOUNDS);
  }

  private static PositionalParameter linear(String name, List<Integer> shape, int inputs) {
    double end = 1 / Math.sqrt(inputs);
    return new PositionalParameter(
        name, shape, Scope.BLOCK, new Initial.Uniform(-end, end), Bounds.NONE);
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double c = BOUNDS.clamp(values.at("fire.c", 0));
    double least = threshold * BOUNDS.clamp(values.at("fire.l", 0));
    double x = Math.log1p(c * distance) / Math.log1p(c * Math.max(least, (double) query));
    double sum = values.at("fire.c_proj.bias", head);
    for (int i = 0; i < HIDDEN; i++) {
      double unit = values.at("fire.c_fc.weight", i) * x + values.at("fire.c_fc.bias", i);
      sum += values.at("fire.c_proj.weight", head * HIDDEN + i) * Math.max(0, unit);
    }
    return sum;
  }
}
