package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.FloatBuffer;

/** The numbers of one tensor, read in order, row-major. Float32 holds each of them exactly. */
public interface StoredNumbers {
  FloatFormat format();

  int size();

  /** Fills the rest of a buffer with the next numbers. */
  void next(FloatBuffer target) throws IOException;

  /** {@return all numbers, which must not have been read yet} */
  default FloatBuffer floats() throws IOException {
    FloatBuffer all = FloatBuffer.allocate(size());
    next(all);
    return all.flip();
  }
}
