package org.lengthwise.result;

import java.nio.file.Path;

/**
 * A value with the file and line it was read from, for errors and for finding neighbouring files.
 *
 * @param line the line, from 1
 */
public record Located<T>(Path file, int line, T value) {
  /** {@return the place as errors name it, such as {@code results.jsonl:3}} */
  public String place() {
    return file + ":" + line;
  }
}
