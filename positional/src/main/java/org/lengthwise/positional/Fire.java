package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.OptionalDouble;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * FIRE: a small network whose input is the distance relative to the query's position. The input
 * stays between 0 and 1 at any length.
 *
 * <p>bias = f<sub>h</sub>(psi(m - n) / psi(max(L, m))), psi(x) = ln(c x + 1), where f is an MLP
 * with 1 input, 32 rectified hidden units and one output for each head. Each block has its own f, c
 * and L. L is learned: it is {@code threshold} times the learned multiplier {@code l}. For queries
 * up to L the bias depends on the distance alone. For later queries it depends on the query's
 * position too. It never depends on the length of the sequence.
 *
 * <p>First values: c 0.1, l 1, weights and biases of the MLP uniform on +-1/sqrt(inputs). Positions
 * count from 0.
 *
 * <p>Source: Li et al., "Functional Interpolation for Relative Positions Improves Long Context
 * Transformers", ICLR 2024, section 3. This is not the variant FIRE-S, whose blocks share one f.
 *
 * @param threshold the first value of the learned threshold L
 */
@JsonTypeName("fire")
public record Fire(@Unit("tokens") double threshold) implements PositionalScheme {
  public static final int HIDDEN = 32;

  /** The interval in which c and l are kept, so that psi of any positive number is positive. */
  public static final Bounds BOUNDS = new Bounds(1e-3, Double.POSITIVE_INFINITY);

  public Fire {
    Checks.above("threshold", threshold, 0);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.byQuery(this);
  }

  @Override
  public boolean attendsByDistance() {
    return false;
  }

  @Override
  public OptionalDouble neutral(String parameter) {
    return parameter.startsWith("fire.c_proj") ? OptionalDouble.of(0) : OptionalDouble.empty();
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
    return PositionalParameter.ofBlock(name, shape, new Initial.Uniform(-end, end));
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double c = BOUNDS.clamp(values.at("fire.c", 0));
    double least = threshold * BOUNDS.clamp(values.at("fire.l", 0));
    double x = Math.log1p(c * distance) / Math.log1p(c * Math.max(least, (double) query));
    double[] fcWeight = values.all("fire.c_fc.weight");
    double[] fcBias = values.all("fire.c_fc.bias");
    double[] projWeight = values.all("fire.c_proj.weight");
    double sum = values.at("fire.c_proj.bias", head);
    for (int i = 0; i < HIDDEN; i++) {
      sum += projWeight[head * HIDDEN + i] * Math.max(0, fcWeight[i] * x + fcBias[i]);
    }
    return sum;
  }
}
