package org.lengthwise.error;

import java.time.Duration;
import java.util.Locale;

/** Numbers with their unit, as messages say them. */
public final class Count {
  private static final double STEP = 1000;

  private Count() {}

  /** {@return a number with separators, such as {@code 2,048}} */
  public static String of(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /**
   * {@return a number with its unit, in the singular or the plural, such as {@code 1 replica} or
   * {@code 2,048 tokens}}
   */
  public static String of(long number, String singular) {
    return of(number, singular, singular + "s");
  }

  /** {@return a number with its unit, for an irregular plural, such as {@code 2 entries}} */
  public static String of(long number, String singular, String plural) {
    return of(number) + " " + (number == 1 ? singular : plural);
  }

  /**
   * {@return an amount of data in decimal units, such as {@code 512 B}, {@code 11.3 MB} or {@code
   * 1.2 GB}}
   */
  public static String bytes(long bytes) {
    return scaled(bytes, " ", "B", "kB", "MB", "GB", "TB");
  }

  /**
   * {@return a large number in three or four characters, such as {@code 512}, {@code 11.3k} or
   * {@code 1.2M}}
   */
  public static String rounded(long number) {
    return scaled(number, "", "", "k", "M", "G", "T");
  }

  /** {@return a time in hours, minutes and seconds, such as {@code 0:01:30}} */
  public static String clock(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static String scaled(long number, String space, String... units) {
    int unit = 0;
    double value = (double) number;
    // 999.95 would be printed as 1000.0
    while (value >= STEP - (unit == 0 ? 0.5 : 0.05) && unit < units.length - 1) {
      value /= STEP;
      unit++;
    }
    String format = unit == 0 ? "%.0f%s%s" : "%.1f%s%s";
    return String.format(Locale.ROOT, format, value, space, units[unit]);
  }
}
