package org.lengthwise.training.safetensors;

import java.util.List;

/**
 * What a file's header says of one tensor.
 *
 * @param dtype the format of its numbers, such as F32
 * @param shape its axes' sizes; none for a scalar
 * @param from where its bytes begin, counted from the end of the header
 * @param to where they end, excluded
 */
public record TensorEntry(String dtype, List<Integer> shape, long from, long to) {

  /** Checks the values. */
  public TensorEntry {
    shape = List.copyOf(shape);
    if (from < 0 || to < from || shape.stream().anyMatch(axis -> axis < 0)) {
      throw new IllegalArgumentException("a tensor of %s at [%d, %d)".formatted(shape, from, to));
    }
  }

  /** How many numbers the tensor holds. */
  long size() {
    return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
  }
}
