package org.lengthwise.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The perplexities of one run at one length, one for each seed.
 *
 * @param perplexities the perplexities in the order of the seeds, at least one
 */
public record TableCell(List<Double> perplexities) {
  /** Requires at least one seed. */
  public TableCell {
    perplexities = List.copyOf(perplexities);
    if (perplexities.isEmpty()) {
      throw new IllegalArgumentException("a cell needs the perplexity of at least one seed");
    }
  }

  /**
   * The number of seeds.
   *
   * @return S, at least 1
   */
  public int numSeeds() {
    return perplexities.size();
  }

  /**
   * The mean of the perplexities over seeds.
   *
   * @return the arithmetic mean
   */
  public double mean() {
    return perplexities.stream().mapToDouble(Double::doubleValue).sum() / numSeeds();
  }

  /**
   * The exponential of the mean negative log-likelihood over seeds. Charts draw this number,
   * because intervals surround it. It is at most {@link #mean()}, and equal for a single seed.
   *
   * @return the geometric mean of the perplexities over seeds
   */
  public double ofMeanNll() {
    return Math.exp(perplexities.stream().mapToDouble(Math::log).sum() / numSeeds());
  }

  /**
   * The spread over seeds.
   *
   * @return the sample standard deviation (with S - 1); empty for a single seed
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
