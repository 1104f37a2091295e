package org.lengthwise.rasp;

import org.lengthwise.error.ConfigException;

/**
 * A place in a program, at which an error is reported.
 *
 * @param file the program's file
 * @param line the line, from 1
 * @param column the character in the line, from 1
 * @param detail a position of the input with a comma before it, or nothing
 */
record Place(String file, int line, int column, String detail) {

  /** The same place at one position of the input. */
  Place at(String position, int index) {
    return new Place(file, line, column, ", " + position + " " + index);
  }

  ConfigException error(String expected, String found, String next) {
    return new ConfigException(toString(), expected, found, next);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column + detail;
  }
}
