package org.lengthwise.plot;

import java.util.List;
import java.util.stream.DoubleStream;

record Range(double low, double high) {
  /** How far intervals may widen a range of zero: a difference, or the factor 1.3. */
  private static final double LEAST_WIDENING = 0.05;

  private static final double LEAST_WIDENING_OF_LOG = Math.log(1.3);

  /** The assumed width of a range of zero, as a share of its value. */
  private static final double LEAST_SPAN = 0.02;

  /** The range of some values; from 0 to 1, or from 1 to 2, if there are none. */
  static Range of(DoubleStream values, boolean logarithmic) {
    double[] all = values.toArray();
    return all.length == 0
        ? new Range(logarithmic ? 1 : 0, logarithmic ? 2 : 1)
        : new Range(
            DoubleStream.of(all).min().orElseThrow(), DoubleStream.of(all).max().orElseThrow());
  }

  static Range ofX(List<Series.Point> points, Axis axis) {
    return of(
        DoubleStream.concat(points.stream().mapToDouble(Series.Point::x), span(axis)),
        axis.isLogarithmic());
  }

  /**
   * The vertical range of some points: all of them, and as much of their intervals as keeps the
   * points legible. Two seeds that differ can have an interval many times as wide as all points
   * together, so an interval widens the range at most by its own width to either side.
   */
  static Range ofY(List<Series.Point> points, Axis axis) {
    boolean logarithmic = axis.isLogarithmic();
    if (points.isEmpty()) {
      return of(span(axis), logarithmic);
    }
    Range means =
        of(points.stream().mapToDouble(Series.Point::y), logarithmic).mapped(logarithmic, true);
    Range all =
        of(
                points.stream()
                    .flatMapToDouble(p -> DoubleStream.of(p.y(), p.low(), p.high()))
                    .filter(value -> !Double.isNaN(value) && (!logarithmic || value > 0)),
                logarithmic)
            .mapped(logarithmic, true);
    double widening =
        Math.max(means.high - means.low, logarithmic ? LEAST_WIDENING_OF_LOG : LEAST_WIDENING);
    Range shown =
        new Range(
                Math.max(means.low - widening, all.low), Math.min(means.high + widening, all.high))
            .mapped(logarithmic, false);
    return of(DoubleStream.concat(DoubleStream.of(shown.low, shown.high), span(axis)), logarithmic);
  }

  private static DoubleStream span(Axis axis) {
    return axis.span().stream().mapToDouble(Double::doubleValue);
  }

  private Range mapped(boolean logarithmic, boolean there) {
    if (!logarithmic) {
      return this;
    }
    return there
        ? new Range(Math.log(low), Math.log(high))
        : new Range(Math.exp(low), Math.exp(high));
  }

  /** The range with margins as shares of it, which are factors if it is logarithmic. */
  Range widened(double below, double above, boolean logarithmic) {
    if (logarithmic) {
      double ratio = Math.max(high / low, 1 + LEAST_SPAN);
      return new Range(low / Math.pow(ratio, below), high * Math.pow(ratio, above));
    }
    double least = LEAST_SPAN * Math.max(Math.abs(low), Math.abs(high));
    double span = Math.max(high - low, least == 0 ? 1 : least);
    return new Range(low - below * span, high + above * span);
  }

  /** The place of a value: 0 at the low end, 1 at the high end. */
  double share(double value, boolean logarithmic) {
    return logarithmic
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
  }

  double nearest(double value) {
    return Math.max(low, Math.min(high, value));
  }

  boolean contains(double value) {
    return low <= value && value <= high;
  }
}
