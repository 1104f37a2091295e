package org.lengthwise.config;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.lengthwise.error.Nearest;

/**
 * Conditions on the components of records. A violated condition throws an {@link
 * InvalidValueException} that carries the component's key in YAML and JSON.
 */
public final class Checks {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private Checks() {}

  /** Requires any condition. */
  public static void require(boolean holds, String key, String expected, Object found) {
    if (!holds) {
      throw new InvalidValueException(key, expected, String.valueOf(found));
    }
  }

  public static void atLeast(String key, long value, long least) {
    require(value >= least, key, "at least " + least, value);
  }

  public static void within(String key, double value, double low, double high) {
    String expected =
        high == Double.MAX_VALUE
            ? "a number of at least " + text(low)
            : "a number from " + text(low) + " to " + text(high);
    require(value >= low && value <= high, key, expected, value);
  }

  /** Requires a finite {@code value > bound}. */
  public static void above(String key, double value, long bound) {
    require(value > bound && Double.isFinite(value), key, "a number above " + bound, value);
  }

  public static void finite(String key, double value) {
    require(Double.isFinite(value), key, "a finite number", value);
  }

  /** Requires a name that needs no quotes in file names and CSV fields, such as a run's name. */
  public static void name(String key, String value) {
    require(NAME.matcher(value).matches(), key, "letters, digits, '.', '_' and '-'", quoted(value));
  }

  /** Requires one of some names. The exception suggests the most similar name. */
  public static void oneOf(String key, String value, Collection<String> names) {
    require(
        names.contains(value),
        key,
        "one of " + String.join(", ", names),
        "`%s`%s".formatted(value, Nearest.suggestion(value, names)));
  }

  /** Requires a list that is not empty and has each value once. */
  public static <T> List<T> distinct(String key, List<T> values) {
    require(
        !values.isEmpty() && values.stream().distinct().count() == values.size(),
        key,
        "at least one, each once",
        values);
    return List.copyOf(values);
  }

  /** Requires a SHA-256 as all artifacts spell it: 64 lower-case hexadecimal digits. */
  public static void sha256(String key, String value) {
    require(
        SHA256.matcher(value).matches(), key, "64 lower-case hexadecimal digits", quoted(value));
  }

  private static String text(double bound) {
    return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
  }

  private static String quoted(String value) {
    return "'" + value + "'";
  }
}
