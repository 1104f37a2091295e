package org.lengthwise.statistics;

import org.lengthwise.config.Checks;

/**
 * A mean over tokens and seeds with its interval.
 *
 * @param mean the mean, or the mean difference, in nats
 * @param pValue the two-sided probability of a mean as far from zero, if the true mean is zero;
 *     from the distribution of the interval
 * @param interval the confidence interval of the mean over all tokens and all seeds; with one seed,
 *     of the mean over all tokens under this seed
 * @param errorOverTargets the standard error over units of targets, in nats
 * @param errorOverSeeds the standard error over seeds, in nats; 0 with one seed
 * @param numUnits the number of units that were resampled; equal to the number of tokens if one
 *     token per window is scored
 */
public record Estimate(
    double mean,
    double pValue,
    Interval interval,
    double errorOverTargets,
    double errorOverSeeds,
    int numTokens,
    int numUnits,
    int numSeeds) {
  public Estimate {
    Checks.require(pValue >= 0 && pValue <= 1, "p_value", "a probability", pValue);
    if (numTokens < numUnits || numUnits < 2 || numSeeds < 1) {
      throw new IllegalArgumentException(
          "expected tokens in at least two units and a seed, found %s in %s and %s"
              .formatted(numTokens, numUnits, numSeeds));
    }
  }
}
