package org.lengthwise.positional;

import java.util.List;

/**
 * One learnable tensor of a positional scheme.
 *
 * @param name the short name, such as {@code r}; the model puts it under a scope
 * @param shape its axes' sizes
 * @param scope whether all blocks share it or each has its own
 * @param initial the distribution it starts from
 * @param bounds the interval its values are kept in, during training and before every use
 */
public record PositionalParameter(
    String name, List<Integer> shape, Scope scope, Initial initial, Bounds bounds) {

  /** Who owns the tensor. */
  public enum Scope {
    /** One tensor, shared by every block. */
    MODEL,
    /** One tensor for each distinct block. */
    BLOCK,
    /** One tensor beside the token embedding, before the first block. */
    EMBEDDING
  }

  /**
   * The closed interval that values are kept in.
   *
   * @param low the smallest value, or negative infinity
   * @param high the largest value, or infinity
   */
  public record Bounds(double low, double high) {
    /** No bounds at all. */
    public static final Bounds NONE =
        new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Moves a value into the interval.
     *
     * @param value any number
     * @return the nearest number inside
     */
    public double clamp(double value) {
      return Math.min(high, Math.max(low, value));
    }
  }

  /** Checks the values. */
  public PositionalParameter {
    shape = List.copyOf(shape);
    if (shape.isEmpty() || shape.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException(
          "shape of " + name + ": expected positive, found " + shape);
    }
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
