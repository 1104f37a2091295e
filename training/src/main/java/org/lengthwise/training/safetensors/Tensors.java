package org.lengthwise.training.safetensors;

import java.io.IOException;

/** The open tensors of a model, read one by one on request. */
public interface Tensors extends AutoCloseable {
  /** {@return the numbers of one tensor; valid until the next call} */
  StoredNumbers numbers(String name) throws IOException;

  /** {@return the numbers of one tensor, row-major; float32 holds each of them exactly} */
  default float[] floats(String name) throws IOException {
    return numbers(name).floats().array();
  }

  @Override
  void close() throws IOException;
}
