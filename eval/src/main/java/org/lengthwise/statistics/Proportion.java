package org.lengthwise.statistics;

import java.util.Locale;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.lengthwise.config.Checks;

/**
 * A number of successes among independent trials.
 *
 * @param successes from 0 to trials
 * @param trials at least 1
 */
public record Proportion(long successes, long trials) {
  public Proportion {
    Checks.atLeast("trials", trials, 1);
    Checks.require(0 <= successes && successes <= trials, "successes", "0 to " + trials, successes);
  }

  public double share() {
    return (double) successes / trials;
  }

  public Interval interval(double confidence) {
    return interval(share(), trials, confidence);
  }

  /**
   * {@return Wilson's score interval of a share, within 0 and 1} It has a width above 0 at shares
   * of 0 and 1, too. Source: Wilson, "Probable Inference, the Law of Succession, and Statistical
   * Inference", JASA 22, 1927.
   *
   * @param confidence the share of intervals that hold the true probability, such as 0.95
   */
  public static Interval interval(double share, long trials, double confidence) {
    double z = NormalDistribution.of(0, 1).inverseSurvivalProbability((1 - confidence) / 2);
    double scaled = z * z / trials;
    double centre = (share + scaled / 2) / (1 + scaled);
    double half =
        z * Math.sqrt(share * (1 - share) / trials + scaled / (4 * trials)) / (1 + scaled);
    double low = share == 0 ? 0 : centre - half;
    double high = share == 1 ? 1 : centre + half;
    return new Interval(low, high);
  }

  /**
   * {@return a share in per cent with two digits, such as {@code 99.95}} 100.00 stands for exactly
   * 1: a share that would be rounded to it is 99.99.
   *
   * @param share from 0 to 1
   */
  public static String percent(double share) {
    double percent = share < 1 ? Math.min(99.99, 100 * share) : 100;
    return String.format(Locale.ROOT, "%.2f", percent);
  }
}
