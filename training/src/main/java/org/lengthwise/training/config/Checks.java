package org.lengthwise.training.config;

/** The two checks that all sections make. */
final class Checks {
  private Checks() {}

  static void atLeast(String key, long least, long found) {
    if (found < least) {
      throw new IllegalArgumentException(key + ": expected at least " + least + ", found " + found);
    }
  }

  static void within(String key, double low, double high, double found) {
    if (!(found >= low && found <= high)) {
      throw new IllegalArgumentException(
          key + ": expected a number from " + low + " to " + high + ", found " + found);
    }
  }
}
