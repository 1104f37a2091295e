package org.lengthwise.training.safetensors;

import java.io.IOException;

/** The open tensors of a model, read one by one on request. */
public interface Tensors extends StoredSource, AutoCloseable {
  /** {@return the numbers of one tensor, row-major; float32 holds each of them exactly} */
  float[] floats(String name) throws IOException;

  @Override
  void close() throws IOException;
}
