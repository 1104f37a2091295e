package org.lengthwise.eval.result;

import java.nio.file.Path;

/**
 * A value and where it was read, so that a complaint about it can name the place, and what lies
 * beside it can be found.
 *
 * @param file the file
 * @param line its line, from 1
 * @param value the value
 * @param <T> the type of the value
 */
public record Located<T>(Path file, int line, T value) {
  /**
   * The place in a message.
   *
   * @return such as {@code results.jsonl:3}
   */
  public String place() {
    return file + ":" + line;
  }
}
