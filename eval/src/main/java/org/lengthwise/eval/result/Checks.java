package org.lengthwise.eval.result;

import java.util.regex.Pattern;

/** The conditions that several records of this package put on their components. */
final class Checks {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private Checks() {}

  /** A name that can stand in a file name and in a CSV field as it is. */
  static void name(String key, String value) {
    require(NAME.matcher(value).matches(), key, "letters, digits, '.', '_' and '-'", value);
  }

  static void sha256(String key, String value) {
    require(SHA256.matcher(value).matches(), key, "64 lower-case hexadecimal digits", value);
  }

  static void atLeast(String key, long value, long least) {
    require(value >= least, key, "at least " + least, value);
  }

  static void finite(String key, double value) {
    require(Double.isFinite(value), key, "a finite number", value);
  }

  static void require(boolean holds, String key, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(key + ": expected " + expected + ", found " + found);
    }
  }
}
