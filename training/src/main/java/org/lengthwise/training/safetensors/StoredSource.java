package org.lengthwise.training.safetensors;

import java.io.IOException;

/** Gives the stored numbers of tensors, one tensor at a time. */
@FunctionalInterface
public interface StoredSource {
  /**
   * {@return the numbers of one tensor; valid until the next call}
   *
   * @param name its name
   * @throws IOException if they cannot be read
   */
  StoredNumbers numbers(String name) throws IOException;
}
