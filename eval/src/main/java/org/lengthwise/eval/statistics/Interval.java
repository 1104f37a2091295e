package org.lengthwise.eval.statistics;

/**
 * A closed interval.
 *
 * @param low its lower end
 * @param high its upper end, not below the lower one
 */
public record Interval(double low, double high) {
  /** Checks the values. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("expected low <= high, found " + low + " and " + high);
    }
  }

  /**
   * Whether a value lies inside, ends included.
   *
   * @param value the value
   * @return whether it does
   */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
