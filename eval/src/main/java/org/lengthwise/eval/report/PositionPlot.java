package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.Interval;
import org.lengthwise.eval.statistics.PositionBin;

/**
 * The loss by position at a protocol's longest length: the mean negative log-likelihood of tokens
 * that have so many tokens of their window before them, with its interval, one tick for each
 * doubling.
 */
final class PositionPlot {
  private static final double LEAST_WIDENING = 0.05;

  /** Bands of all runs lie over each other. */
  private static final int BAND_ALPHA = 16;

  private final TableStatistics statistics;
  private final PlotStyle style;
  private final LengthAxis axis;

  private PositionPlot(TableStatistics statistics, PlotStyle style) {
    this.statistics = statistics;
    this.style = style;
    this.axis = new LengthAxis(List.of(1, statistics.longest()));
  }

  /** The name of a protocol's plot. */
  static String name(TableStatistics statistics) {
    return "positions-" + statistics.table().protocol().label();
  }

  /** Draws a table that has losses by position. */
  static Plot of(TableStatistics statistics, PlotStyle style) {
    return new PositionPlot(statistics, style).draw();
  }

  private Plot draw() {
    String title = "Loss by position, of " + Numbers.count(statistics.longest()) + " tokens";
    XYChart chart =
        style.chart(title, "tokens read before the target", "negative log-likelihood in nats");
    List<Double> means = new ArrayList<>();
    List<Interval> intervals = new ArrayList<>();
    for (SortedMap<PositionBin, Estimate> bins : statistics.byPosition().values()) {
      for (Estimate bin : bins.values()) {
        means.add(bin.mean());
        intervals.add(bin.interval());
      }
    }
    PlotRange range = PlotRange.of(means, intervals, LEAST_WIDENING);
    double top = PlotStyle.scaleY(chart, range, false);
    axis.scale(chart);
    statistics.byPosition().forEach((column, bins) -> band(chart, column, bins));
    statistics.byPosition().forEach((column, bins) -> line(chart, column, bins));
    axis.mark(chart, trainedShorter(), top);
    return new Plot(name(statistics), title, chart);
  }

  private void band(XYChart chart, Column column, SortedMap<PositionBin, Estimate> bins) {
    style.drawBand(
        chart,
        column.heading() + ", interval",
        column.run(),
        new PlotStyle.Band(
            xs(bins),
            bins.values().stream().mapToDouble(bin -> bin.interval().low()).toArray(),
            bins.values().stream().mapToDouble(bin -> bin.interval().high()).toArray(),
            BAND_ALPHA));
  }

  private void line(XYChart chart, Column column, SortedMap<PositionBin, Estimate> bins) {
    double[] means = bins.values().stream().mapToDouble(Estimate::mean).toArray();
    style.draw(chart.addSeries(column.heading(), xs(bins), means), column.run());
  }

  private double[] xs(SortedMap<PositionBin, Estimate> bins) {
    return bins.keySet().stream().mapToDouble(bin -> axis.x(bin.middle())).toArray();
  }

  private List<Integer> trainedShorter() {
    return statistics.table().trainLengths().stream()
        .filter(length -> length < statistics.longest())
        .toList();
  }
}
