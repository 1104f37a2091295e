package org.lengthwise.training.model;

import java.util.List;
import org.lengthwise.positional.Initial;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * One tensor of a model.
 *
 * @param name its name in a checkpoint
 * @param shape its axes' sizes
 * @param initial the distribution it starts from
 * @param decays whether weight decay applies
 * @param bounds the interval its values are kept in after every step
 */
public record ParameterSpec(
    String name, List<Integer> shape, Initial initial, boolean decays, Bounds bounds) {

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
