package org.lengthwise.report.perplexity;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The perplexities of one run at one length, one for each seed.
 *
 * @param perplexities the perplexities in the order of the seeds, at least one
 */
record TableCell(List<Double> perplexities) {
  /** Requires at least one seed. */
  TableCell {
    perplexities = List.copyOf(perplexities);
    if (perplexities.isEmpty()) {
      throw new IllegalArgumentException("a cell needs the perplexity of at least one seed");
    }
  }

  /** The number of seeds, at least 1. */
  int numSeeds() {
    return perplexities.size();
  }

  /** The arithmetic mean of the perplexities over seeds. */
  double mean() {
    return perplexities.stream().mapToDouble(Double::doubleValue).sum() / numSeeds();
  }

  /**
   * The exponential of the mean negative log-likelihood over seeds. Charts draw this number,
   * because intervals surround it. It is the geometric mean of the perplexities: at most {@link
   * #mean()}, and equal for a single seed.
   */
  double ofMeanNll() {
    return Math.exp(perplexities.stream().mapToDouble(Math::log).sum() / numSeeds());
  }

  /** The sample standard deviation over S seeds (with S - 1); empty for a single seed. */
  OptionalDouble deviation() {
    if (numSeeds() == 1) {
      return OptionalDouble.empty();
    }
    double mean = mean();
    double squares =
        perplexities.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return OptionalDouble.of(Math.sqrt(squares / (numSeeds() - 1)));
  }
}
