package org.lengthwise.eval.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The perplexities of one run at one length, one for each seed.
 *
 * @param perplexities the seeds' perplexities in the order of the seeds, at least one
 */
public record Cell(List<Double> perplexities) {
  /** Checks that there is a seed. */
  public Cell {
    perplexities = List.copyOf(perplexities);
    if (perplexities.isEmpty()) {
      throw new IllegalArgumentException("a cell needs the perplexity of at least one seed");
    }
  }

  /**
   * How many seeds the cell averages.
   *
   * @return at least 1
   */
  public int numSeeds() {
    return perplexities.size();
  }

  /**
   * The mean of the seeds' perplexities.
   *
   * @return the mean
   */
  public double mean() {
    return perplexities.stream().mapToDouble(Double::doubleValue).sum() / numSeeds();
  }

  /**
   * The exponential of the mean over seeds of the mean negative log-likelihood, which intervals of
   * that mean lie around: what charts draw. It is at most {@link #mean()}, and the same for a
   * single seed.
   *
   * @return the geometric mean of the seeds' perplexities
   */
  public double ofMeanNll() {
    return Math.exp(perplexities.stream().mapToDouble(Math::log).sum() / numSeeds());
  }

  /**
   * The spread over seeds.
   *
   * @return the sample standard deviation (n - 1); empty for a single seed
   */
  public OptionalDouble deviation() {
    if (numSeeds() == 1) {
      return OptionalDouble.empty();
    }
    double mean = mean();
    double squares =
        perplexities.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return OptionalDouble.of(Math.sqrt(squares / (numSeeds() - 1)));
  }
}
