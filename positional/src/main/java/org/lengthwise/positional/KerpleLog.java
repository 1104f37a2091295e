package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * KERPLE, logarithmic variant: bias = -p<sub>h</sub> ln(1 + a<sub>h</sub> delta), with p and a at
 * least 0.01.
 */
@JsonTypeName("kerple-log")
public record KerpleLog() implements Kerple {
  @Override
  public Bounds boundsOfP() {
    return FACTOR_BOUNDS;
  }

  @Override
  public double bias(PositionalValues values, int head, long distance) {
    double p = boundsOfP().clamp(values.at("p", head));
    double a = FACTOR_BOUNDS.clamp(values.at("a", head));
    return -p * Math.log1p(a * distance);
  }

  @Override
  public NDArray table(TableInputs inputs) {
    NDArray p_H1 = inputs.parameter("p").reshape(-1, 1);
    NDArray a_H1 = inputs.parameter("a").reshape(-1, 1);
    return a_H1.mul(inputs.fixed().of(inputs::distances))
        .add(inputs.number(1))
        .log()
        .mul(p_H1)
        .neg();
  }
}
