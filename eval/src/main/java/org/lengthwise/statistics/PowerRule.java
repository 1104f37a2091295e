package org.lengthwise.statistics;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;
import org.lengthwise.config.Checks;

/**
 * The rule that plans how many targets and seeds tell two runs apart, from the errors of a paired
 * difference that was measured.
 *
 * <p>Two runs are told apart if the interval of their difference excludes zero. The probability of
 * this is the given one if the true difference is about half the interval plus the quantile of this
 * probability. Each of the two is the root of the squares of two parts: the error over targets
 * times a quantile of Student's t with U - 1 degrees of freedom for U units, and the error over
 * seeds times one with S - 1. The first error falls with the root of the targets, the second with
 * the root of the seeds. With one seed the second part is unknown and left out.
 *
 * @param ratio the ratio of two perplexities that has to be told apart, above 1
 * @param probability the probability of telling it apart, from 0.5
 */
public record PowerRule(double ratio, double probability) {
  private static final int MOST_SEEDS = 1000;
  private static final double MOST_TIMES = 1e6;

  public PowerRule {
    Checks.require(ratio > 1 && ratio <= 10, "ratio", "a number above 1, at most 10", ratio);
    Checks.require(
        probability >= 0.5 && probability < 1,
        "probability",
        "a probability from 0.5 to less than 1",
        probability);
  }

  /** {@return the smallest ratio of perplexities that a measured pair's targets and seeds show} */
  public double smallestRatio(Estimate pair, double confidence) {
    return Math.exp(smallest(pair, 1, pair.numSeeds(), confidence));
  }

  /**
   * {@return the targets that tell {@link #ratio()} apart with the seeds of a measured pair; empty
   * if the spread over seeds alone is too large}
   */
  public OptionalLong targets(Estimate pair, double confidence) {
    int seeds = pair.numSeeds();
    double low = 0;
    double high = MOST_TIMES;
    if (smallest(pair, high, seeds, confidence) > Math.log(ratio)) {
      return OptionalLong.empty();
    }
    while (high - low > 1e-3 * high && high * pair.numTokens() > 1) {
      double middle = low == 0 ? high / 2 : Math.sqrt(low * high);
      if (smallest(pair, middle, seeds, confidence) > Math.log(ratio)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return OptionalLong.of((long) Math.ceil(high * pair.numTokens()));
  }

  /**
   * {@return the seeds, at least two, that tell {@link #ratio()} apart with the targets of a
   * measured pair; empty if it has one seed, or if the spread over targets alone is too large}
   */
  public OptionalInt seeds(Estimate pair, double confidence) {
    return pair.numSeeds() == 1
        ? OptionalInt.empty()
        : IntStream.rangeClosed(2, MOST_SEEDS)
            .filter(seeds -> smallest(pair, 1, seeds, confidence) <= Math.log(ratio))
            .findFirst();
  }

  /** The smallest difference in nats with another number of seeds, and times as many targets. */
  private double smallest(Estimate pair, double times, int seeds, double confidence) {
    double overTargets = pair.errorOverTargets() / Math.sqrt(times);
    double overSeeds = pair.errorOverSeeds() * Math.sqrt((double) pair.numSeeds() / seeds);
    double units = pair.numUnits() * times;
    return quantile((1 - confidence) / 2, overTargets, units, overSeeds, seeds)
        + quantile(1 - probability, overTargets, units, overSeeds, seeds);
  }

  private static double quantile(
      double tail, double overTargets, double units, double overSeeds, int seeds) {
    return Math.hypot(
        student(units, tail) * overTargets, seeds == 1 ? 0 : student(seeds, tail) * overSeeds);
  }

  /** The quantile of Student's t for the mean of some values, at least two. */
  private static double student(double values, double tail) {
    return TDistribution.of(Math.max(2, values) - 1).inverseSurvivalProbability(tail);
  }
}
