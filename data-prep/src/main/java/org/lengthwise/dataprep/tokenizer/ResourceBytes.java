package org.lengthwise.dataprep.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads files that lie beside classes. */
final class ResourceBytes {

  private ResourceBytes() {}

  /** The content of a file, named as {@link Class#getResourceAsStream} wants it. */
  static byte[] of(Class<?> neighbour, String name) {
    try (InputStream in = neighbour.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path holds no " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
