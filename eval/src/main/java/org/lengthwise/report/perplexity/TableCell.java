package org.lengthwise.report.perplexity;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import org.lengthwise.statistics.Interval;

/**
 * The numbers of one run at one length, one for each seed: perplexities, or bits per byte.
 *
 * @param values the numbers in the order of the seeds, at least one
 */
record TableCell(List<Double> values) {
  TableCell {
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a cell needs the number of at least one seed");
    }
  }

  int numSeeds() {
    return values.size();
  }

  double mean() {
    return values.stream().mapToDouble(Double::doubleValue).sum() / numSeeds();
  }

  /**
   * The exponential of the mean negative log-likelihood of perplexities over seeds. Charts draw
   * this number, because intervals surround it. It is the geometric mean of the perplexities: at
   * most {@link #mean()}, and equal for a single seed.
   */
  double ofMeanNll() {
    return Math.exp(values.stream().mapToDouble(Math::log).sum() / numSeeds());
  }

  Interval range() {
    return new Interval(Collections.min(values), Collections.max(values));
  }

  /** The sample standard deviation over S seeds (with S - 1); empty for a single seed. */
  OptionalDouble deviation() {
    if (numSeeds() == 1) {
      return OptionalDouble.empty();
    }
    double mean = mean();
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return OptionalDouble.of(Math.sqrt(squares / (numSeeds() - 1)));
  }
}
