package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.FloatBuffer;

/** Gives the numbers of tensors, one tensor at a time. */
@FunctionalInterface
public interface TensorSource {
  /** {@return the numbers of one tensor, row-major, from the buffer's position to its limit} */
  FloatBuffer numbers(String name) throws IOException;
}
