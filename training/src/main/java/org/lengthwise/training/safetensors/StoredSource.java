package org.lengthwise.training.safetensors;

import java.io.IOException;

/** Gives the stored numbers of tensors, one tensor at a time. */
@FunctionalInterface
public interface StoredSource {
  /** {@return the numbers of one tensor; valid until the next call} */
  StoredNumbers numbers(String name) throws IOException;
}
