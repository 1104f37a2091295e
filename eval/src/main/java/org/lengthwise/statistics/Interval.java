package org.lengthwise.statistics;

/**
 * A closed interval.
 *
 * @param high its upper end, not below the lower one
 */
public record Interval(double low, double high) {
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("expected low <= high, found " + low + " and " + high);
    }
  }

  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
