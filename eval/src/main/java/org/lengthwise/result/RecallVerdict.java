package org.lengthwise.result;

import org.lengthwise.statistics.Interval;
import org.lengthwise.task.Recall;

/** What the token accuracy of a recall task says. */
public enum RecallVerdict {
  /** The accuracy is at least 99 %. */
  HOLDS("holds"),
  /** The accuracy lies between the other two. */
  IN_PART("in part"),
  /** The interval of the accuracy is not above that of a guess. */
  CHANCE("chance"),
  /** The task was not learned in the range of the training, so other lengths say nothing. */
  NOT_LEARNED("not learned");

  private final String words;

  RecallVerdict(String words) {
    this.words = words;
  }

  public String words() {
    return words;
  }

  /**
   * {@return whether a token accuracy is that of a learned task}
   *
   * @param accuracy from 0 to 1
   */
  public static boolean isEnough(double accuracy) {
    return accuracy >= Recall.LEARNED;
  }

  /**
   * {@return the verdict at a length}
   *
   * @param accuracy the token accuracy, from 0 to 1
   */
  public static RecallVerdict of(
      boolean isLearned, double accuracy, Interval interval, double chance) {
    if (!isLearned) {
      return NOT_LEARNED;
    }
    if (isEnough(accuracy)) {
      return HOLDS;
    }
    return interval.low() <= chance ? CHANCE : IN_PART;
  }
}
