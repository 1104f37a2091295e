package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * ALiBi: a fixed penalty that grows linearly with the distance. Its slope differs between heads.
 *
 * <p>bias = -slope<sub>h</sub> * delta. If H is a power of two, the slopes are 2<sup>-bh/H</sup>, h
 * = 1..H, with b = maxBias. Otherwise let c be the largest power of two below H: the slopes are
 * those of c heads, followed by every other slope of 2c heads. The first formula is not valid for
 * other H, which is a common mistake.
 *
 * <p>Source: Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables
 * Input Length Extrapolation", ICLR 2022, with b = 8. MPT (MosaicML, 2023) has b as a setting.
 *
 * @param maxBias b, minus the power of two that is the smallest slope if H is a power of two
 */
@JsonTypeName("alibi")
public record Alibi(@AbsentMeans("8.0") double maxBias) implements DistanceBias {
  private static final double PUBLISHED = 8;

  public Alibi {
    Checks.above("max_bias", maxBias, 0);
  }

  /** ALiBi as published, with b = 8. */
  public Alibi() {
    this(PUBLISHED);
  }

  @Override
  public double bias(PositionalValues values, int head, long distance) {
    return -slopes(values.heads(), maxBias)[head] * distance;
  }

  @Override
  public NDArray table(TableInputs inputs) {
    double[] slopes = slopes(inputs.heads(), maxBias);
    NDManager owner = inputs.manager();
    return inputs.byHead(owner, h -> -slopes[h]).mul(inputs.distances(owner));
  }

  /** {@return the published slopes of all H heads} */
  public static double[] slopes(int heads) {
    return slopes(heads, PUBLISHED);
  }

  private static double[] slopes(int heads, double maxBias) {
    int base = Integer.highestOneBit(heads);
    double[] slopes = new double[heads];
    for (int head = 0; head < heads; head++) {
      slopes[head] =
          head < base
              ? Math.pow(2, -maxBias * (head + 1) / base)
              : Math.pow(2, -maxBias * (2 * (head - base) + 1) / (2 * base));
    }
    return slopes;
  }
}
