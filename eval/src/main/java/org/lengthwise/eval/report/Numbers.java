package org.lengthwise.eval.report;

import java.util.Locale;

/** How numbers are written for a reader, the same in every table and in every locale. */
final class Numbers {
  /** What stands where nothing was measured. */
  static final String MISSING = "–";

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

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
