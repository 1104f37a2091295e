package org.lengthwise.statistics;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.lengthwise.config.Checks;

/**
 * The interval of a mean over tokens and seeds.
 *
 * <p>The mean has two sources of chance: the sample of tokens, and the seeds of training. There are
 * hundreds of tokens, so units of tokens are resampled with replacement. Each resample takes the
 * same units for all seeds, because all seeds read the same tokens. There are about three seeds,
 * and a resample of three values never leaves their range. So seeds enter with normal theory: the
 * standard error over seeds times a draw from Student's t with S - 1 degrees of freedom. The sum of
 * both parts is one draw, and the interval contains the middle share of the draws (percentiles).
 * With one seed the second part is absent, and the interval says nothing about other training runs.
 *
 * <p>If several tokens per window are scored, there may be few units. The means of resamples then
 * spread too little, by a factor of sqrt((U - 1) / U), and their tails are those of a normal
 * distribution instead of Student's t. So the distance of a resampled mean from the mean is
 * multiplied by sqrt(U / (U - 1)) and by the ratio of the two quantiles. This is the expanded
 * percentile interval of T. C. Hesterberg, "What Teachers Should Know About the Bootstrap", The
 * American Statistician 69 (2015). It adds 10 % for 20 units and 0.7 % for 250.
 *
 * <p>The p-value of the mean is twice the share of the draws beyond zero, so it agrees with the
 * interval. Fewer than 100 draws measure the share badly. Then the share is the tail of a sum: the
 * errors over units and over seeds, each with Student's t of U - 1 and S - 1 degrees of freedom.
 *
 * @param resamples the number of resamples
 * @param confidence the share of the draws that the interval contains, such as 0.95
 * @param seed the seed of the draws
 */
public record Bootstrap(int resamples, double confidence, long seed) {
  /** The draws beyond zero whose share is known to about 10 %. */
  private static final int ENOUGH = 100;

  /** The step and the end of an integral over asinh x. */
  private static final double STEP = 0.04;

  private static final double END = 36;

  public Bootstrap {
    Checks.atLeast("resamples", resamples, 1);
    Checks.require(
        confidence > 0 && confidence < 1, "confidence", "a share between 0 and 1", confidence);
  }

  /** {@return the mean with its interval; empty for a single unit, which has no spread} */
  public Optional<Estimate> estimate(Scores scores) {
    if (scores.numUnits() == 1) {
      return Optional.empty();
    }
    double[] sums_U = scores.sums();
    int[] tokens_U = scores.weights();
    int degreesOfFreedom = scores.seeds().size() - 1;
    double seedError = scores.standardErrorOverSeeds();
    double mean = scores.mean();
    double tail = (1 - confidence) / 2;
    double stretched = stretch(scores.numUnits(), tail);
    SplittableRandom random = new SplittableRandom(seed);
    double[] means = new double[resamples];
    for (int i = 0; i < resamples; i++) {
      means[i] = mean + stretched * (resampledMean(sums_U, tokens_U, random) - mean);
      if (degreesOfFreedom > 0) {
        means[i] += seedError * studentT(degreesOfFreedom, random);
      }
    }
    Arrays.sort(means);
    Interval interval = new Interval(quantile(means, tail), quantile(means, 1 - tail));
    return Optional.of(
        new Estimate(
            mean,
            2 * Math.min(0.5, tailBeyondZero(scores, means)),
            interval,
            scores.standardErrorOverUnits().orElseThrow(),
            seedError,
            scores.numTokens(),
            scores.numUnits(),
            scores.seeds().size()));
  }

  /**
   * The share of the draws that lie beyond zero, seen from the mean, or the tail if it is small.
   */
  private double tailBeyondZero(Scores scores, double[] means) {
    double mean = scores.mean();
    long beyond = Arrays.stream(means).filter(draw -> draw == 0 || draw > 0 != mean > 0).count();
    return beyond >= ENOUGH
        ? (double) beyond / resamples
        : tail(
            Math.abs(mean),
            new Part(scores.standardErrorOverUnits().orElseThrow(), scores.numUnits()),
            new Part(scores.standardErrorOverSeeds(), scores.seeds().size()));
  }

  /** A mean of some values, whose distance over its error has Student's t. */
  record Part(double error, int numValues) {
    /** The probability of a larger number. */
    double beyond(double number) {
      return error == 0
          ? (number < 0 ? 1 : 0)
          : TDistribution.of(numValues - 1.0).survivalProbability(number / error);
    }
  }

  /** The probability that the sum of two parts is larger than a distance. */
  static double tail(double distance, Part one, Part other) {
    boolean isNarrow = one.error() < other.error();
    Part narrow = isNarrow ? one : other;
    Part wide = isNarrow ? other : one;
    if (narrow.error() == 0) {
      return wide.beyond(distance);
    }
    TDistribution density = TDistribution.of(narrow.numValues() - 1.0);
    double sum = 0;
    for (double at = -END; at <= END; at += STEP) {
      double x = Math.sinh(at);
      double mass = density.density(x) * Math.cosh(at);
      sum += mass == 0 ? 0 : mass * wide.beyond(distance - narrow.error() * x);
    }
    return Math.min(0.5, STEP * sum);
  }

  /** The factor that corrects the spread and the tails of the means of U resampled units. */
  private static double stretch(int units, double tail) {
    double normal = NormalDistribution.of(0, 1).inverseSurvivalProbability(tail);
    double student = TDistribution.of(units - 1.0).inverseSurvivalProbability(tail);
    return Math.sqrt(units / (units - 1.0)) * student / normal;
  }

  private static double resampledMean(double[] sums_U, int[] tokens_U, SplittableRandom random) {
    double sum = 0;
    long tokens = 0;
    for (int i = 0; i < sums_U.length; i++) {
      int unit = random.nextInt(sums_U.length);
      sum += sums_U[unit];
      tokens += tokens_U[unit];
    }
    return sum / tokens;
  }

  /** A standard normal draw, divided by the root of the mean square of others. */
  private static double studentT(int degreesOfFreedom, SplittableRandom random) {
    double squares = 0;
    for (int i = 0; i < degreesOfFreedom; i++) {
      double normal = random.nextGaussian();
      squares += normal * normal;
    }
    return random.nextGaussian() / Math.sqrt(squares / degreesOfFreedom);
  }

  /** The quantile, linear between the order statistics. */
  static double quantile(double[] rising, double share) {
    double place = share * (rising.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, rising.length - 1);
    return rising[below] + (place - below) * (rising[above] - rising[below]);
  }
}
