package org.lengthwise.statistics;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * The rule that turns the accuracy of the best model of a task into words. It is the same for our
 * numbers and for those of the paper.
 *
 * @param solved the least accuracy at which a task is solved
 * @param margin how many points above the constant answer still count as no better than it
 */
public record AccuracyRule(@Unit("per cent") double solved, @Unit("points") double margin) {
  public AccuracyRule {
    Checks.require(0 < solved && solved <= 100, "solved", "above 0, at most 100", solved);
    Checks.require(margin >= 0, "margin", "at least 0", margin);
  }

  /** What an accuracy says. */
  public enum Level {
    /** The accuracy is at least {@code solved}. */
    SOLVED("solved"),
    /** The accuracy lies between the other two. */
    IN_PART("in part"),
    /** The accuracy is at most {@code margin} points above the constant answer. */
    CONSTANT("no better than a constant answer");

    private final String words;

    Level(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /**
   * {@return the level of an accuracy}
   *
   * @param accuracy in per cent
   * @param constant the accuracy of the best constant answer in per cent
   */
  public Level of(double accuracy, double constant) {
    if (accuracy >= solved) {
      return Level.SOLVED;
    }
    return accuracy <= constant + margin ? Level.CONSTANT : Level.IN_PART;
  }
}
