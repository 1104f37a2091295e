package org.lengthwise.report;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Interval;

/** Numbers as text, the same in every table and in every locale. */
final class Numbers {
  /** The cell of a number that was not measured. */
  static final String MISSING = "–";

  private static final char MINUS = '\u2212';

  private static final double PLAIN_LIMIT = 100_000;

  private Numbers() {}

  /** With two decimals, as in the paper, or with an exponent if the number is long. */
  static String perplexity(double value) {
    if (Double.isInfinite(value)) {
      return "∞";
    }
    return String.format(Locale.ROOT, value < PLAIN_LIMIT ? "%.2f" : "%.2e", value);
  }

  /** The mean with its spread over seeds, if there are several. */
  static String cell(TableCell cell) {
    String mean = perplexity(cell.mean());
    return cell.deviation().isPresent()
        ? mean + " ± " + perplexity(cell.deviation().getAsDouble())
        : mean;
  }

  /** Grouped in thousands. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** With a sign and two decimals. */
  static String signed(double difference) {
    return Math.abs(difference) < PLAIN_LIMIT
        ? withMinus(String.format(Locale.ROOT, "%+.2f", difference))
        : withMinus(String.format(Locale.ROOT, "%+.2e", difference));
  }

  /** An interval in nats. */
  static String interval(Interval interval) {
    return "[%s, %s]".formatted(nats(interval.low()), nats(interval.high()));
  }

  /** Without trailing zeros. */
  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** One number, or the smallest and the largest of several. */
  static String range(List<? extends Number> rising) {
    String least = count(rising.get(0).longValue());
    String most = count(rising.get(rising.size() - 1).longValue());
    return least.equals(most) ? least : least + "–" + most;
  }

  /** The number of tokens of a mean, and the number of units if it is smaller. */
  static String tokens(Estimate estimate) {
    String tokens = count(estimate.numTokens());
    return estimate.numUnits() == estimate.numTokens()
        ? tokens
        : tokens + " in " + count(estimate.numUnits());
  }

  /** With a sign and three decimals: 0.001 nats are 0.1 % of the perplexity. */
  static String nats(double value) {
    return thousandths(value);
  }

  /** With a sign and three decimals. */
  static String thousandths(double difference) {
    return withMinus(String.format(Locale.ROOT, "%+.3f", difference));
  }

  /** A ratio of perplexities. */
  static String ratio(double value) {
    return "× " + String.format(Locale.ROOT, value < PLAIN_LIMIT ? "%.3f" : "%.2e", value);
  }

  /** A hyphen is shorter than a plus, so figures would not align. */
  private static String withMinus(String number) {
    return number.replace('-', MINUS);
  }

  /** With three decimals, or with an exponent if it is small. */
  static String probability(double value) {
    return withMinus(String.format(Locale.ROOT, value < 0.001 ? "%.1e" : "%.3f", value));
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
