package org.lengthwise.eval.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.statistics.Interval;

/**
 * Perplexity against evaluated length: one line for each run, one tick for each doubling, intervals
 * as bars that stand side by side, a mark at the training length.
 *
 * <p>The y axis is logarithmic, as on the page. From {@value #MANY_DOUBLINGS} doublings on each
 * tick doubles, so that an explosion leaves the rest legible.
 */
final class PerplexityPlot {
  private static final double MANY_DOUBLINGS = 2;

  /** How many digits ticks between doublings have. */
  private static final MathContext TICK_DIGITS = new MathContext(3);

  /** How far intervals may widen an axis without any range: to 1.3 times, and as much below. */
  private static final double LEAST_WIDENING = Math.log(1.3) / Math.log(2);

  private final TableStatistics statistics;
  private final PerplexityTable table;
  private final PlotStyle style;

  private PerplexityPlot(TableStatistics statistics, PlotStyle style) {
    this.statistics = statistics;
    this.table = statistics.table();
    this.style = style;
  }

  /** Draws a table. */
  static Plot of(TableStatistics statistics, PlotStyle style) {
    return new PerplexityPlot(statistics, style).draw();
  }

  private Plot draw() {
    String title = "Perplexity beyond the training length";
    PlotRange range =
        PlotRange.of(means().stream().map(PerplexityPlot::y).toList(), intervals(), LEAST_WIDENING);
    boolean doubling = range.high() - range.low() >= MANY_DOUBLINGS;
    XYChart chart =
        style.chart(
            title,
            "evaluated length in tokens",
            doubling ? "perplexity (each tick doubles)" : "perplexity (logarithmic)");
    LengthAxis lengths = new LengthAxis(table.lengths());
    chart.getStyler().setYAxisTickLabelsFormattingFunction(PerplexityPlot::perplexityAt);
    double top = PlotStyle.scaleY(chart, range, doubling);
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
  private static Interval shown(Interval nats) {
    return new Interval(y(Math.exp(nats.low())), y(Math.exp(nats.high())));
  }

  private static double y(double perplexity) {
    return Math.log(perplexity) / Math.log(2);
  }

  private static String perplexityAt(double y) {
    double perplexity = Math.pow(2, y);
    return perplexity < 100
        ? new BigDecimal(perplexity).round(TICK_DIGITS).stripTrailingZeros().toPlainString()
        : Numbers.count(Math.round(perplexity));
  }
}
