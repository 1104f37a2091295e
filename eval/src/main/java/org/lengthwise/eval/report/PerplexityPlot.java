package org.lengthwise.eval.report;

import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.statistics.Interval;

/**
 * Perplexity against evaluated length: one line for each run, one tick for each doubling, intervals
 * as bars that stand side by side, a mark at the training length.
 *
 * <p>The y axis is linear until the largest perplexity is {@value #LOG_FROM} times the smallest;
 * from there on it doubles from tick to tick, so that an explosion leaves the rest legible.
 */
final class PerplexityPlot {
  private static final double LOG_FROM = 4;

  /** How far intervals may widen an axis without any range: to 1.3 times, and as much below. */
  private static final double LEAST_WIDENING = Math.log(1.3) / Math.log(2);

  private final TableStatistics statistics;
  private final PerplexityTable table;
  private final PlotStyle style;
  private final boolean logarithmic;

  private PerplexityPlot(TableStatistics statistics, PlotStyle style) {
    this.statistics = statistics;
    this.table = statistics.table();
    this.style = style;
    List<Double> means = means();
    this.logarithmic =
        means.stream().max(Comparator.naturalOrder()).orElseThrow()
            > LOG_FROM * means.stream().min(Comparator.naturalOrder()).orElseThrow();
  }

  /** Draws a table. */
  static Plot of(TableStatistics statistics, PlotStyle style) {
    return new PerplexityPlot(statistics, style).draw();
  }

  private Plot draw() {
    String title = "Perplexity beyond the training length";
    XYChart chart =
        style.chart(
            title,
            "evaluated length in tokens",
            logarithmic ? "perplexity (each tick doubles)" : "perplexity");
    LengthAxis lengths = new LengthAxis(table.lengths());
    List<Double> points = means().stream().map(this::y).toList();
    PlotRange range =
        PlotRange.of(points, intervals(), logarithmic ? LEAST_WIDENING : 0.3 * points.get(0));
    double top = scaleY(chart, range);
    lengths.scale(chart);
    List<Column> columns =
        table.columns().stream()
            .sorted(Comparator.comparingDouble(this::lastPerplexity).reversed())
            .toList();
    for (Column column : columns) {
      line(column, lengths, range).draw(chart, style);
    }
    lengths.mark(chart, table.trainLengths(), top);
    return new Plot("perplexity-" + table.protocol().label(), title, chart);
  }

  private LengthSeries line(Column column, LengthAxis lengths, PlotRange range) {
    double dodge = LengthAxis.dodge(table.columns().indexOf(column), table.columns().size());
    LengthSeries series = new LengthSeries(column, range);
    for (int length : table.lengths()) {
      table
          .cell(column, length)
          .filter(cell -> Double.isFinite(cell.ofMeanNll()))
          .ifPresent(
              cell ->
                  series.add(
                      lengths.x(length) + dodge,
                      y(cell.ofMeanNll()),
                      statistics.mean(column, length).map(mean -> shown(mean.interval()))));
    }
    return series;
  }

  /** Sets the y axis and returns where the words of a mark go. */
  private double scaleY(XYChart chart, PlotRange range) {
    if (logarithmic) {
      chart.getStyler().setYAxisTickLabelsFormattingFunction(PerplexityPlot::perplexityAt);
    }
    return PlotStyle.scaleY(chart, range, logarithmic);
  }

  private List<Double> means() {
    return table.columns().stream()
        .flatMap(column -> table.lengths().stream().flatMap(l -> table.cell(column, l).stream()))
        .map(Cell::ofMeanNll)
        .filter(Double::isFinite)
        .toList();
  }

  private List<Interval> intervals() {
    return statistics.means().values().stream()
        .flatMap(byLength -> byLength.values().stream())
        .map(mean -> shown(mean.interval()))
        .toList();
  }

  private double lastPerplexity(Column column) {
    return table.lengths().stream()
        .flatMap(length -> table.cell(column, length).stream())
        .mapToDouble(Cell::ofMeanNll)
        .reduce(0, (earlier, later) -> later);
  }

  /** From nats to the axis. */
  private Interval shown(Interval nats) {
    return new Interval(y(Math.exp(nats.low())), y(Math.exp(nats.high())));
  }

  private double y(double perplexity) {
    return logarithmic ? Math.log(perplexity) / Math.log(2) : perplexity;
  }

  private static String perplexityAt(double y) {
    return Numbers.count(Math.round(Math.pow(2, y)));
  }
}
