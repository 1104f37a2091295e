package org.lengthwise.dataprep.config;

/**
 * The place where a value was set, as messages name it.
 *
 * @param place "FILE:LINE", or the setting on the command line
 */
record Origin(String place) {

  static Origin of(String file, int line) {
    return new Origin(file + ":" + line);
  }
}
