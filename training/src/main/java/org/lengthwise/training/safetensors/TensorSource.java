package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.FloatBuffer;

/** Gives the numbers of tensors, one tensor at a time. */
@FunctionalInterface
public interface TensorSource {
  /**
   * The numbers of one tensor.
   *
   * @param name its name
   * @return its numbers, row-major, from the buffer's position to its limit
   * @throws IOException if they cannot be read
   */
  FloatBuffer numbers(String name) throws IOException;
}
