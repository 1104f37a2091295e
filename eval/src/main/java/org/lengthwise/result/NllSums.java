package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.lengthwise.config.Checks;

/**
 * The negative log-likelihoods of targets, as a count and sums, so that results can be pooled.
 *
 * @param sum the sum of their negative log-likelihoods in nats
 * @param squareSum the sum of the squared negative log-likelihoods in square nats
 */
public record NllSums(
    long count,
    @JsonProperty("nll_sum") double sum,
    @JsonProperty("nll_square_sum") double squareSum) {
  public NllSums {
    Checks.atLeast("count", count, 1);
    Checks.finite("nll_sum", sum);
    Checks.finite("nll_square_sum", squareSum);
  }

  /** {@return the mean negative log-likelihood of the targets, in nats per token} */
  public double mean() {
    return sum / count;
  }

  /** {@return exp({@link #mean()}), the exponential of the mean, never a mean of exponentials} */
  public double perplexity() {
    return Math.exp(mean());
  }

  /**
   * {@return the standard error of {@link #mean()}, in nats per token; NaN for a single target} It
   * is the sample standard deviation divided by the square root of the count. This treats targets
   * as independent. Targets of one window are correlated, so the value is too small where a window
   * has several targets.
   */
  public double standardError() {
    if (count == 1) {
      return Double.NaN;
    }
    double mean = mean();
    // Rounding can leave a variance of nearly equal values just below zero.
    double variance = Math.max(0, squareSum - count * mean * mean) / (count - 1);
    return Math.sqrt(variance / count);
  }
}
