package org.lengthwise.statistics;

/**
 * A closed interval.
 *
 * @param high its upper end, not below the lower one
 */
public record Interval(double low, double high) {
  /** Requires {@code low <= high}. */
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("expected low <= high, found " + low + " and " + high);
    }
  }

  /** {@return whether a value is inside the interval or at one of its ends} */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
