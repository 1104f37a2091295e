package org.lengthwise.statistics;

import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * The rule that turns the differences of one table into words. The table is a family: its p-values
 * are corrected for their number ({@link Holm}). A difference
 *
 * <ul>
 *   <li>is <i>higher</i> or <i>lower</i> if its adjusted p-value is at most one minus the
 *       confidence, and its size is at least ln(smallest ratio);
 *   <li>does <i>not matter</i> if its whole interval is smaller than that, or its adjusted p-value
 *       is as low and its size smaller;
 *   <li>is <i>not distinguishable</i> otherwise.
 * </ul>
 *
 * @param smallestRatio the ratio of two perplexities from which on their difference matters
 */
public record WordRule(double smallestRatio) {
  public WordRule {
    Checks.require(smallestRatio >= 1, "smallest_ratio", "at least 1", smallestRatio);
  }

  /** The conclusion about one difference. */
  public enum Word {
    /** The mean is above zero. */
    HIGHER,

    /** The mean is below zero. */
    LOWER,

    /** The difference is too small to matter. */
    DOES_NOT_MATTER,

    /** The measured tokens and seeds do not tell. */
    NOT_DISTINGUISHABLE
  }

  /**
   * {@return a word for each difference of one table, in order}
   *
   * @param family the differences, in nats
   * @param confidence the confidence of the intervals; one minus it is the greatest probability of
   *     any wrong <i>higher</i> or <i>lower</i> in the family
   */
  public List<Word> of(List<Estimate> family, double confidence) {
    double[] adjusted = Holm.adjusted(family.stream().mapToDouble(Estimate::pValue).toArray());
    boolean[] significant = new boolean[adjusted.length];
    for (int i = 0; i < adjusted.length; i++) {
      significant[i] = adjusted[i] <= 1 - confidence && !family.get(i).interval().contains(0);
    }
    return IntStream.range(0, adjusted.length)
        .mapToObj(i -> word(family.get(i), significant[i]))
        .toList();
  }

  private Word word(Estimate difference, boolean significant) {
    if (isSmall(difference.interval().low()) && isSmall(difference.interval().high())) {
      return Word.DOES_NOT_MATTER;
    }
    if (!significant) {
      return Word.NOT_DISTINGUISHABLE;
    }
    if (isSmall(difference.mean())) {
      return Word.DOES_NOT_MATTER;
    }
    return difference.mean() > 0 ? Word.HIGHER : Word.LOWER;
  }

  private boolean isSmall(double nats) {
    return Math.abs(nats) < Math.log(smallestRatio);
  }
}
