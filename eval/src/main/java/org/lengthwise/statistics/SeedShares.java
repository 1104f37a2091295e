package org.lengthwise.statistics;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;
import org.lengthwise.config.Checks;

/**
 * The shares of successes of several seeds, such as of three trained models that answer the same
 * questions.
 *
 * @param shares the share of each seed, from 0 to 1
 * @param trials the number of trials of one seed, which are the same for all seeds
 */
public record SeedShares(List<Double> shares, long trials) {
  public SeedShares {
    shares = List.copyOf(shares);
    Checks.atLeast("seeds", shares.size(), 1);
    Checks.atLeast("trials", trials, 1);
    for (double share : shares) {
      Checks.require(0 <= share && share <= 1, "share", "0 to 1", share);
    }
  }

  public double mean() {
    return shares.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /**
   * {@return an interval of the mean: Student's t over seeds, cut at 0 and 1}
   *
   * <p>Equal shares, such as 0 of every seed, and a single seed do not show how seeds differ. Then
   * it is Wilson's interval, for the trials of one seed: all seeds have the same trials, so they
   * count once. Where a share is a mean of parts of trials, it stands for the nearest number of
   * successes.
   *
   * @param confidence the share of intervals that hold the true mean, such as 0.95
   */
  public Interval interval(double confidence) {
    double mean = mean();
    int seeds = shares.size();
    if (shares.stream().distinct().count() == 1) {
      return new Proportion(Math.round(mean * trials), trials).interval(confidence);
    }
    double squares = shares.stream().mapToDouble(share -> (share - mean) * (share - mean)).sum();
    double error = Math.sqrt(squares / (seeds - 1) / seeds);
    double student = TDistribution.of(seeds - 1.0).inverseSurvivalProbability((1 - confidence) / 2);
    return new Interval(Math.max(0, mean - student * error), Math.min(1, mean + student * error));
  }
}
