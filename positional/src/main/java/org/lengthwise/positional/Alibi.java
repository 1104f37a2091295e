package org.lengthwise.positional;

/**
 * ALiBi: a fixed penalty that grows linearly with distance, steeper in some heads than in others.
 *
 * <p>bias = -slope<sub>h</sub> * delta. With H a power of two the slopes are 2<sup>-8h/H</sup>, h =
 * 1..H. Otherwise, with c the largest power of two below H, they are the c slopes for c heads
 * followed by every other slope for 2c heads; using the formula for every H is a common mistake.
 *
 * <p>Source: Press, Smith and Lewis, "Train Short, Test Long: Attention with Linear Biases Enables
 * Input Length Extrapolation", ICLR 2022.
 */
public record Alibi() implements PositionalScheme {
  static final String NAME = "alibi";

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    return -slopes(values.heads())[head] * distance;
  }

  /**
   * The slopes of all heads.
   *
   * @param heads H, at least 1
   * @return H slopes, in the order of the heads
   */
  public static double[] slopes(int heads) {
    int base = Integer.highestOneBit(heads);
    double[] slopes = new double[heads];
    for (int head = 0; head < heads; head++) {
      slopes[head] =
          head < base
              ? Math.pow(2, -8.0 * (head + 1) / base)
              : Math.pow(2, -8.0 * (2 * (head - base) + 1) / (2 * base));
    }
    return slopes;
  }
}
