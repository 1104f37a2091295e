package org.lengthwise.eval.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * What an axis spans.
 *
 * @param low where it begins
 * @param high where it ends, not below low
 */
record AxisRange(double low, double high) {
  /** What stands for the span of values that are all the same, as a share of them. */
  private static final double LEAST_SPAN = 0.02;

  /** The range of some values, at least one. */
  static AxisRange of(Stream<Double> values) {
    List<Double> all = values.toList();
    return new AxisRange(
        all.stream().mapToDouble(Double::doubleValue).min().orElseThrow(),
        all.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
  }

  /**
   * The range with a margin on both sides.
   *
   * @param share the margin as a share of the span
   * @param logarithmic whether the span is a ratio; all values are positive then
   */
  AxisRange widened(double share, boolean logarithmic) {
    if (logarithmic) {
      double factor = Math.pow(Math.max(high / low, 1 + LEAST_SPAN), share);
      return new AxisRange(low / factor, high * factor);
    }
    double least = LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high));
    double margin = share * Math.max(high - low, least);
    return new AxisRange(low - margin, high + margin);
  }
}
