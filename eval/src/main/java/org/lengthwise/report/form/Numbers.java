package org.lengthwise.report.form;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.lengthwise.statistics.Interval;

/** Numbers as text, the same in every table and in every locale. */
public final class Numbers {
  /** The cell of a number that was not measured. */
  public static final String MISSING = "–";

  private static final char MINUS = '\u2212';

  private Numbers() {}

  /**
   * A number in a format of its own.
   *
   * @param format the format, such as {@code %+.3f}
   * @param value the number
   * @return the number; its minus is as wide as a plus, so figures align
   */
  public static String of(String format, double value) {
    return String.format(Locale.ROOT, format, value).replace('-', MINUS);
  }

  /**
   * A count.
   *
   * @param value the count
   * @return its digits, grouped in thousands
   */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /**
   * Several counts.
   *
   * @param rising the counts in ascending order, at least one
   * @return one number, or the smallest and the largest one
   */
  public static String range(List<? extends Number> rising) {
    String least = count(rising.get(0).longValue());
    String most = count(rising.get(rising.size() - 1).longValue());
    return least.equals(most) ? least : least + "–" + most;
  }

  /**
   * A setting.
   *
   * @param value the number
   * @return its digits, without trailing zeros
   */
  public static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** With a sign and three decimals: 0.001 nats are 0.1 % of the perplexity. */
  static String nats(double value) {
    return of("%+.3f", value);
  }

  /** An interval in nats. */
  static String interval(Interval interval) {
    return "[%s, %s]".formatted(nats(interval.low()), nats(interval.high()));
  }
}
