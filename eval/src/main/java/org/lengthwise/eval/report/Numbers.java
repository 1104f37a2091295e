package org.lengthwise.eval.report;

import java.util.Locale;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.Interval;

/** How numbers are written for a reader, the same in every table and in every locale. */
final class Numbers {
  /** What stands where nothing was measured. */
  static final String MISSING = "–";

  private static final char MINUS = '\u2212';

  private static final double PLAIN_LIMIT = 100_000;

  private Numbers() {}

  /** Two decimals, as in the paper, until the number is too long to read. */
  static String perplexity(double value) {
    if (Double.isInfinite(value)) {
      return "∞";
    }
    return String.format(Locale.ROOT, value < PLAIN_LIMIT ? "%.2f" : "%.2e", value);
  }

  /** The mean, with its spread where there is one. */
  static String cell(Cell cell) {
    String mean = perplexity(cell.mean());
    return cell.deviation().isPresent()
        ? mean + " ± " + perplexity(cell.deviation().getAsDouble())
        : mean;
  }

  /** Grouped in thousands. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** With its sign, to two decimals. */
  static String signed(double difference) {
    return Math.abs(difference) < PLAIN_LIMIT
        ? withMinus(String.format(Locale.ROOT, "%+.2f", difference))
        : withMinus(String.format(Locale.ROOT, "%+.2e", difference));
  }

  /** A mean in nats with its interval. */
  static String estimate(Estimate estimate) {
    Interval interval = estimate.interval();
    return "%s [%s, %s]"
        .formatted(nats(estimate.mean()), nats(interval.low()), nats(interval.high()));
  }

  /** How many tokens a mean is over, and in how many units where these are fewer. */
  static String tokens(Estimate estimate) {
    String tokens = count(estimate.numTokens());
    return estimate.numUnits() == estimate.numTokens()
        ? tokens
        : tokens + " in " + count(estimate.numUnits());
  }

  /** With its sign, to a thousandth of a nat, which is a thousandth of the perplexity. */
  static String nats(double value) {
    return thousandths(value);
  }

  /** With its sign, to a thousandth. */
  static String thousandths(double difference) {
    return withMinus(String.format(Locale.ROOT, "%+.3f", difference));
  }

  /** A factor on the perplexity. */
  static String ratio(double value) {
    return "× " + String.format(Locale.ROOT, value < PLAIN_LIMIT ? "%.3f" : "%.2e", value);
  }

  /** A hyphen is no minus: it is shorter than a plus, and figures would not align. */
  private static String withMinus(String number) {
    return number.replace('-', MINUS);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
