package org.lengthwise.report.form;

import java.util.List;
import java.util.Locale;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/** Numbers as text, the same in every table and in every locale. */
public final class Numbers {
  /** The cell of a number that was not measured. */
  public static final String MISSING = "–";

  private static final char MINUS = '\u2212';

  private Numbers() {}

  /**
   * {@return a number whose minus is as wide as a plus, so that figures align}
   *
   * @param format its format, such as {@code %+.3f}
   */
  public static String of(String format, double value) {
    return String.format(Locale.ROOT, format, value).replace('-', MINUS);
  }

  /** {@return the digits of a count, grouped in thousands} */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /**
   * {@return the smallest and the largest of several counts, or one count if they are equal}
   *
   * @param rising the counts in ascending order, at least one
   */
  public static String range(List<? extends Number> rising) {
    String least = count(rising.get(0).longValue());
    String most = count(rising.get(rising.size() - 1).longValue());
    return least.equals(most) ? least : least + "–" + most;
  }

  /** {@return an interval of shares in per cent, in brackets} */
  public static String percents(Interval shares) {
    return "(%s–%s)".formatted(Proportion.percent(shares.low()), Proportion.percent(shares.high()));
  }

  /** With a sign and three decimals: 0.001 nats are 0.1 % of the perplexity. */
  static String nats(double value) {
    return of("%+.3f", value);
  }

  static String interval(Interval interval) {
    return "[%s, %s]".formatted(nats(interval.low()), nats(interval.high()));
  }
}
