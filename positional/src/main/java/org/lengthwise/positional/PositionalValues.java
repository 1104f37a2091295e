package org.lengthwise.positional;

import java.util.Map;

/**
 * The learnable numbers that a scheme uses in one block, as plain doubles.
 *
 * @param heads H
 * @param headWidth D
 * @param block the block k of the model
 * @param length T
 * @param values each parameter's numbers in row-major order, by the parameter's short name
 */
public record PositionalValues(
    int heads, int headWidth, int block, long length, Map<String, double[]> values) {

  public PositionalValues {
    values = Map.copyOf(values);
  }

  /** The numbers of the first block, for a scheme that depends neither on the block nor on T. */
  public PositionalValues(int heads, int headWidth, Map<String, double[]> values) {
    this(heads, headWidth, 0, 1, values);
  }

  PositionalValues ofLength(long other) {
    return other == length ? this : new PositionalValues(heads, headWidth, block, other, values);
  }

  /**
   * {@return one number of a parameter, by its row-major index}
   *
   * @throws IllegalArgumentException if there is no such parameter
   */
  public double at(String name, int index) {
    return all(name)[index];
  }

  /**
   * {@return all numbers of one parameter, row-major}
   *
   * @throws IllegalArgumentException if there is no such parameter
   */
  public double[] all(String name) {
    double[] numbers = values.get(name);
    if (numbers == null) {
      throw new IllegalArgumentException(
          "expected one of the parameters " + values.keySet() + ", found " + name);
    }
    return numbers;
  }
}
