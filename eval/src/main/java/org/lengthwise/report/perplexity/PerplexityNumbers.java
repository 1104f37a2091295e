package org.lengthwise.report.perplexity;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Scores;

/** Perplexities, their differences and ratios, and numbers of scored tokens as text. */
final class PerplexityNumbers {
  private static final double PLAIN_LIMIT = 100_000;

  private PerplexityNumbers() {}

  /** With two decimals, as in the paper. */
  static String perplexity(double value) {
    return Double.isInfinite(value) ? "∞" : number("%.2", value);
  }

  static String cell(TableCell cell) {
    return cell(cell, PerplexityNumbers::perplexity);
  }

  /** The mean with its spread over seeds, if there are several. */
  static String cell(TableCell cell, DoubleFunction<String> text) {
    String mean = text.apply(cell.mean());
    return cell.deviation().isPresent()
        ? mean + " ± " + text.apply(cell.deviation().getAsDouble())
        : mean;
  }

  static Entry entry(Optional<Scores> scores) {
    return Entry.of(scores.map(all -> perplexity(Math.exp(all.mean()))).orElse(Numbers.MISSING));
  }

  static String signed(double difference) {
    return number("%+.2", difference);
  }

  private static String number(String format, double value) {
    return Numbers.of(format + (Math.abs(value) < PLAIN_LIMIT ? "f" : "e"), value);
  }

  static String ratio(double value) {
    return "× " + Numbers.of(value < PLAIN_LIMIT ? "%.3f" : "%.2e", value);
  }

  /** The ratio of perplexities that a mean difference in nats is. */
  static String ratio(Estimate nats) {
    return ratio(Math.exp(nats.mean()));
  }

  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** The number of tokens of a mean, and the number of units if it is smaller. */
  static String tokens(Estimate estimate) {
    String tokens = Numbers.count(estimate.numTokens());
    return estimate.numUnits() == estimate.numTokens()
        ? tokens
        : tokens + " in " + Numbers.count(estimate.numUnits());
  }
}
