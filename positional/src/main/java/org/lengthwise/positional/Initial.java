package org.lengthwise.positional;

/** The distribution that a tensor's first values are drawn from. */
public sealed interface Initial {

  /**
   * The same value everywhere.
   *
   * @param value the value
   */
  record Constant(double value) implements Initial {}

  /**
   * Independent normal values with mean 0.
   *
   * @param deviation the standard deviation
   */
  record Normal(double deviation) implements Initial {}

  /**
   * Independent uniform values.
   *
   * @param low the lower end
   * @param high the upper end, excluded
   */
  record Uniform(double low, double high) implements Initial {}
}
