package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * KERPLE, power variant: bias = -a<sub>h</sub> delta<sup>p<sub>h</sub></sup>, with a at least 0.01
 * and p between 0.01 and 2.
 */
@JsonTypeName("kerple-power")
public record KerplePower() implements Kerple {
  private static final Bounds EXPONENT_BOUNDS = new Bounds(0.01, 2);

  @Override
  public Bounds boundsOfP() {
    return EXPONENT_BOUNDS;
  }

  @Override
  public double bias(PositionalValues values, int head, long distance) {
    double p = EXPONENT_BOUNDS.clamp(values.at("p", head));
    double a = FACTOR_BOUNDS.clamp(values.at("a", head));
    return -a * Math.pow((double) distance, p);
  }

  @Override
  public NDArray table(TableInputs inputs) {
    NDArray p_H1 = inputs.parameter("p").reshape(-1, 1);
    NDArray a_H1 = inputs.parameter("a").reshape(-1, 1);
    NDArray powers_HT = inputs.fixed().of(inputs::distances).pow(p_H1);
    powers_HT.attach(inputs.manager()); // a result belongs to its first operand's manager
    return powers_HT.mul(a_H1).neg();
  }
}
