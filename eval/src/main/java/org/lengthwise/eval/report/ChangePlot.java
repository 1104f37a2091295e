package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.VerdictRule;

/**
 * The paired change of the mean negative log-likelihood since the training length, with its
 * intervals and the two levels by which verdicts are found.
 */
final class ChangePlot {
  private static final double LEAST_WIDENING = 0.05;

  /** What is written as zero at two decimals. */
  private static final double NEXT_TO_ZERO = 5e-3;

  private final TableStatistics statistics;
  private final PlotStyle style;
  private final PlotRange range;

  private ChangePlot(TableStatistics statistics, PlotStyle style) {
    this.statistics = statistics;
    this.style = style;
    List<Estimate> changes =
        statistics.changes().values().stream()
            .flatMap(byLength -> byLength.values().stream())
            .toList();
    List<Double> means = new ArrayList<>(List.of(0.0));
    changes.forEach(change -> means.add(change.mean()));
    this.range =
        PlotRange.of(means, changes.stream().map(Estimate::interval).toList(), LEAST_WIDENING);
  }

  /** Draws the changes of a table that has some. */
  static Plot of(TableStatistics statistics, ReportConfig config, PlotStyle style) {
    return new ChangePlot(statistics, style).draw(config.verdict());
  }

  private Plot draw(VerdictRule rule) {
    String title = "Change since the training length, same tokens";
    XYChart chart =
        style.chart(title, "evaluated length in tokens", "change in nats (grey: verdict levels)");
    PlotStyle.scaleY(chart, range, false);
    chart.getStyler().setYAxisTickLabelsFormattingFunction(ChangePlot::nats);
    LengthAxis lengths = new LengthAxis(lengths());
    lengths.scale(chart);
    List<Column> columns = List.copyOf(statistics.verdicts().keySet());
    for (int i = 0; i < columns.size(); i++) {
      line(columns.get(i), lengths, LengthAxis.dodge(i, columns.size())).draw(chart, style);
    }
    for (double ratio : new double[] {rule.toleratedRatio(), rule.explosiveRatio()}) {
      if (Math.log(ratio) < range.high()) {
        chart.addAnnotation(new AnnotationLine(Math.log(ratio), false, false));
      }
    }
    return new Plot("change-" + statistics.table().protocol().label(), title, chart);
  }

  private List<Integer> lengths() {
    return statistics.changes().values().stream()
        .flatMap(byLength -> byLength.keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private LengthSeries line(Column column, LengthAxis lengths, double dodge) {
    LengthSeries series = new LengthSeries(column, range);
    statistics
        .changesOf(column)
        .forEach(
            (length, change) ->
                series.add(
                    lengths.x(length) + dodge, change.mean(), Optional.of(change.interval())));
    return series;
  }

  private static String nats(double value) {
    return Math.abs(value) < NEXT_TO_ZERO
        ? "0"
        : String.format(Locale.ROOT, "%+.2f", value).replace('-', '\u2212');
  }
}
