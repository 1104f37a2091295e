package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.lengthwise.eval.statistics.Interval;

/**
 * One run's line with its bars. The library's error bars are symmetric, intervals are not: the bars
 * are a series of their own, with gaps between them.
 */
final class LengthSeries {
  /** Half the width of a bar's end, in doublings. */
  private static final double CAP = 0.018;

  private final Column column;
  private final PlotRange range;
  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();
  private final List<Double> barXs = new ArrayList<>();
  private final List<Double> barYs = new ArrayList<>();

  /** The line of a run in a plot of a range, by which bars are cut. */
  LengthSeries(Column column, PlotRange range) {
    this.column = column;
    this.range = range;
  }

  /** Adds a point, and a bar where there is an interval. */
  void add(double x, double y, Optional<Interval> interval) {
    xs.add(x);
    ys.add(y);
    interval.ifPresent(bar -> bar(x, bar.low(), bar.high()));
  }

  /** A bar that leaves the plot has no end there. */
  private void bar(double x, double low, double high) {
    stroke(x, Math.max(low, range.low()), x, Math.min(high, range.high()));
    if (low >= range.low()) {
      stroke(x - CAP, low, x + CAP, low);
    }
    if (high <= range.high()) {
      stroke(x - CAP, high, x + CAP, high);
    }
  }

  private void stroke(double fromX, double fromY, double toX, double toY) {
    barXs.addAll(List.of(fromX, toX, toX));
    barYs.addAll(List.of(fromY, toY, Double.NaN));
  }

  /** Draws bars and line; a run without any point is left out. */
  void draw(XYChart chart, PlotStyle style) {
    if (xs.isEmpty()) {
      return;
    }
    if (!barXs.isEmpty()) {
      XYSeries bars = chart.addSeries(column.heading() + ", interval", barXs, barYs);
      bars.setShowInLegend(false);
      style.drawPale(bars, column.run());
    }
    style.draw(chart.addSeries(column.heading(), xs, ys), column.run());
  }
}
