package org.lengthwise.training.safetensors;

import java.io.IOException;

/** Where a tensor's numbers come from when it is its turn. */
@FunctionalInterface
public interface TensorSource {
  /**
   * The numbers of one tensor.
   *
   * @param name its name
   * @return its numbers, row-major
   * @throws IOException if they cannot be read
   */
  float[] floats(String name) throws IOException;
}
