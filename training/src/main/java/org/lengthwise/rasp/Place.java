package org.lengthwise.rasp;

import org.lengthwise.error.ConfigException;

/**
 * A place in a program, at which an error is reported.
 *
 * @param line the line, from 1
 * @param column the character in the line, from 1
 * @param axis what the index counts, such as rows, or nothing
 * @param index a position of the input
 */
record Place(String file, int line, int column, String axis, int index) {

  Place(String file, int line, int column) {
    this(file, line, column, "", 0);
  }

  Place at(String axis, int index) {
    return new Place(file, line, column, axis, index);
  }

  ConfigException error(String expected, String found, String next) {
    return new ConfigException(toString(), expected, found, next);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column + (axis.isEmpty() ? "" : ", " + axis + " " + index);
  }
}
