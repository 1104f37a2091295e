package org.lengthwise.positional;

import java.util.Map;

/**
 * The learnable numbers that a scheme uses in one block, as plain doubles for the reference.
 *
 * @param heads H
 * @param values each parameter's numbers in row-major order, by the parameter's short name
 */
public record PositionalValues(int heads, Map<String, double[]> values) {

  /** Checks the values. */
  public PositionalValues {
    values = Map.copyOf(values);
  }

  /**
   * One number of one parameter.
   *
   * @param name the parameter's short name
   * @param index the row-major index
   * @return the number
   */
  public double at(String name, int index) {
    double[] numbers = values.get(name);
    if (numbers == null) {
      throw new IllegalArgumentException("no values for " + name + ", only " + values.keySet());
    }
    return numbers[index];
  }
}
