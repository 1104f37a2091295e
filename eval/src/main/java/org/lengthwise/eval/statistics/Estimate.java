package org.lengthwise.eval.statistics;

/**
 * A mean over tokens and seeds, and how far it can be trusted.
 *
 * @param mean the mean in nats, or a mean difference
 * @param interval where the mean of all tokens and all seeds may lie; with a single seed that of
 *     all tokens under this one seed
 * @param numTokens how many target tokens the mean is over
 * @param numUnits in how many units these were resampled; as many as tokens where the last token of
 *     each window is scored
 * @param numSeeds how many seeds it is over
 */
public record Estimate(double mean, Interval interval, int numTokens, int numUnits, int numSeeds) {
  /** Checks the values. */
  public Estimate {
    if (numTokens < numUnits || numUnits < 2 || numSeeds < 1) {
      throw new IllegalArgumentException(
          "expected tokens in at least two units and a seed, found %d in %d and %d"
              .formatted(numTokens, numUnits, numSeeds));
    }
  }

  /**
   * Whether a difference of this size is told apart from none.
   *
   * @return whether zero lies outside the interval
   */
  public boolean isDistinguishable() {
    return !interval.contains(0);
  }
}
