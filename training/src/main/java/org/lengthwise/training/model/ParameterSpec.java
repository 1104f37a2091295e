package org.lengthwise.training.model;

import java.util.List;
import org.lengthwise.positional.BiasParameter.Bounds;

/**
 * One tensor of a model.
 *
 * @param name its name in a checkpoint
 * @param shape its axes' sizes
 * @param initial where its values start
 * @param decays whether weight decay applies
 * @param bounds the interval its values are kept in after every step
 */
public record ParameterSpec(
    String name, List<Integer> shape, Initial initial, boolean decays, Bounds bounds) {

  /** Where a tensor's values start. */
  public sealed interface Initial {}

  /**
   * One value everywhere.
   *
   * @param value the value
   */
  public record Constant(float value) implements Initial {}

  /**
   * Independent normal values with mean 0.
   *
   * @param deviation the standard deviation
   */
  public record Normal(double deviation) implements Initial {}

  /**
   * Independent uniform values.
   *
   * @param low the lower end
   * @param high the upper end, excluded
   */
  public record Uniform(double low, double high) implements Initial {}

  /** Checks the values. */
  public ParameterSpec {
    shape = List.copyOf(shape);
  }

  /**
   * How many numbers the tensor holds.
   *
   * @return the product of the axes
   */
  public int size() {
    return shape.stream().reduce(1, Math::multiplyExact);
  }
}
