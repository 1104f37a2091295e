package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** The numbers of one tensor, read in order, row-major. Float32 holds each of them exactly. */
public interface StoredNumbers {
  /** {@return the format in which they are stored} */
  FloatFormat format();

  /** {@return how many there are} */
  int size();

  /**
   * Fills the rest of a buffer with the next numbers.
   *
   * @param target the buffer
   * @throws IOException if they cannot be read
   */
  void next(FloatBuffer target) throws IOException;

  /** {@return whether {@link #nextBytes} can be used in the place of {@link #next}} */
  default boolean hasBytes() {
    return false;
  }

  /**
   * Fills the rest of a buffer with the next numbers as they are stored, little-endian.
   *
   * @param target the buffer
   * @throws IOException if they cannot be read
   * @throws UnsupportedOperationException if the numbers are not stored in this order and format
   */
  default void nextBytes(ByteBuffer target) throws IOException {
    throw new UnsupportedOperationException("numbers in another order or format");
  }

  /**
   * {@return all numbers, which must not have been read yet}
   *
   * @throws IOException if they cannot be read
   */
  default FloatBuffer floats() throws IOException {
    FloatBuffer all = FloatBuffer.allocate(size());
    next(all);
    return all.flip();
  }
}
