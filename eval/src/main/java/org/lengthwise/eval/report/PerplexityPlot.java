package org.lengthwise.eval.report;

import java.util.Comparator;
import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/**
 * Perplexity against evaluated length: one line for each run, one tick for each doubling, the
 * spread over seeds as error bars, a mark at the training length.
 *
 * <p>The y axis is linear until the largest perplexity is {@value #LOG_FROM} times the smallest;
 * from there on it doubles from tick to tick, so that an explosion leaves the rest legible.
 */
final class PerplexityPlot {
  private static final double LOG_FROM = 4;

  /** Free space around the data on an axis of doublings. */
  private static final double MARGIN = 0.25;

  /** Free space above and below the data on a linear axis, as a share of its range. */
  private static final double LINEAR_MARGIN = 0.12;

  /** The same as a share of the perplexity itself, where the range is next to nothing. */
  private static final double LEAST_MARGIN = 0.01;

  private final PerplexityTable table;
  private final PlotStyle style;
  private final int origin;
  private final boolean logarithmic;

  private PerplexityPlot(PerplexityTable table, PlotStyle style) {
    this.table = table;
    this.style = style;
    this.origin = table.lengths().get(0);
    this.logarithmic = largest(table) > LOG_FROM * smallest(table);
  }

  /** Draws a table. */
  static Plot of(PerplexityTable table, PlotStyle style) {
    return new PerplexityPlot(table, style).draw();
  }

  private Plot draw() {
    String title = "Perplexity beyond the training length";
    XYChart chart =
        style.chart(
            title,
            "evaluated length in tokens",
            logarithmic ? "perplexity (each tick doubles)" : "perplexity");
    double top = scaleAxes(chart);
    table.columns().stream()
        .sorted(Comparator.comparingDouble(this::lastPerplexity).reversed())
        .forEach(column -> add(chart, column));
    for (int trainLength : table.trainLengths()) {
      if (trainLength >= origin && trainLength <= last()) {
        double beside = x(trainLength) + PlotStyle.besideMark(x(last()) + 2 * MARGIN);
        String word = "trained at " + Numbers.count(trainLength);
        PlotStyle.mark(chart, x(trainLength), new AnnotationText(word, beside, top, false));
      }
    }
    return new Plot("perplexity-" + table.protocol().label(), title, chart);
  }

  /** Sets both axes and returns where the words of a mark go. */
  private double scaleAxes(XYChart chart) {
    PlotStyle.unitTicksOnX(chart, -MARGIN, x(last()) + MARGIN);
    chart.getStyler().setXAxisTickLabelsFormattingFunction(this::lengthAt);
    double low = y(smallest(table));
    double high = y(largest(table));
    double margin =
        logarithmic ? MARGIN : Math.max(LINEAR_MARGIN * (high - low), LEAST_MARGIN * high);
    if (logarithmic) {
      PlotStyle.unitTicksOnY(chart, low - margin, high + 2 * margin);
      chart.getStyler().setYAxisTickLabelsFormattingFunction(PerplexityPlot::perplexityAt);
    } else {
      chart.getStyler().setYAxisMin(Math.max(low - margin, 0));
      chart.getStyler().setYAxisMax(high + 2 * margin);
    }
    return high + 1.7 * margin;
  }

  private void add(XYChart chart, Column column) {
    List<Integer> lengths =
        table.lengths().stream().filter(length -> table.cell(column, length).isPresent()).toList();
    double[] xs = lengths.stream().mapToDouble(this::x).toArray();
    double[] ys = lengths.stream().mapToDouble(length -> y(cell(column, length).mean())).toArray();
    boolean spread = lengths.stream().anyMatch(length -> cell(column, length).numSeeds() > 1);
    double[] bars = lengths.stream().mapToDouble(length -> bar(cell(column, length))).toArray();
    XYSeries series =
        spread
            ? chart.addSeries(column.heading(), xs, ys, bars)
            : chart.addSeries(column.heading(), xs, ys);
    style.draw(series, column.run());
  }

  private Cell cell(Column column, int length) {
    return table.cell(column, length).orElseThrow();
  }

  /** The bar's half height; on the doubling axis that of its upper half. */
  private double bar(Cell cell) {
    return y(cell.mean() + cell.deviation().orElse(0)) - y(cell.mean());
  }

  private double lastPerplexity(Column column) {
    return table.lengths().stream()
        .flatMap(length -> table.cell(column, length).stream())
        .mapToDouble(Cell::mean)
        .reduce(0, (earlier, later) -> later);
  }

  private int last() {
    return table.lengths().get(table.lengths().size() - 1);
  }

  /** Doublings since the shortest length. */
  private double x(int length) {
    return log2((double) length / origin);
  }

  private double y(double perplexity) {
    return logarithmic ? log2(perplexity) : perplexity;
  }

  private String lengthAt(double x) {
    return Numbers.count(Math.round(origin * Math.pow(2, x)));
  }

  private static String perplexityAt(double y) {
    return Numbers.count(Math.round(Math.pow(2, y)));
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static double smallest(PerplexityTable table) {
    return table.cells().values().stream()
        .flatMap(cells -> cells.values().stream())
        .mapToDouble(cell -> cell.mean() - cell.deviation().orElse(0))
        .min()
        .orElseThrow();
  }

  private static double largest(PerplexityTable table) {
    return table.cells().values().stream()
        .flatMap(cells -> cells.values().stream())
        .mapToDouble(cell -> cell.mean() + cell.deviation().orElse(0))
        .max()
        .orElseThrow();
  }
}
