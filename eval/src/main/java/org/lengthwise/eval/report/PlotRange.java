package org.lengthwise.eval.report;

import java.util.Collection;
import org.lengthwise.eval.statistics.Interval;

/**
 * The values that an axis shows: all points, and of the intervals around them as much as leaves the
 * points legible. Two seeds that differ can have an interval of many times the range of all points.
 *
 * @param low the least
 * @param high the greatest
 */
record PlotRange(double low, double high) {
  /** How far intervals may widen the range to either side, as a share of it. */
  private static final double WIDENING = 1;

  /**
   * The range of points and intervals.
   *
   * @param points at least one
   * @param intervals those around them
   * @param leastWidening how far intervals may widen a range of next to nothing
   */
  static PlotRange of(
      Collection<Double> points, Collection<Interval> intervals, double leastWidening) {
    double low = points.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double high = points.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double most = Math.max(leastWidening, WIDENING * (high - low));
    double lowest = intervals.stream().mapToDouble(Interval::low).min().orElse(low);
    double highest = intervals.stream().mapToDouble(Interval::high).max().orElse(high);
    return new PlotRange(
        Math.max(low - most, Math.min(low, lowest)),
        Math.min(high + most, Math.max(high, highest)));
  }
}
