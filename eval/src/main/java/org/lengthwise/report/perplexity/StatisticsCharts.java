package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Mark;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.PositionBin;
import org.lengthwise.statistics.VerdictRule;

/** The charts of one table of perplexities, with intervals where the individual values exist. */
final class StatisticsCharts {
  private final TableStatistics statistics;
  private final PerplexityTable table;
  private final Looks looks;
  private final String interval;

  StatisticsCharts(TableStatistics statistics, Looks looks, double confidence) {
    this.statistics = statistics;
    this.table = statistics.table();
    this.looks = looks;
    this.interval =
        "|, %s%% interval {low} to {high}".formatted(PerplexityNumbers.plain(100 * confidence));
  }

  /**
   * Perplexity against evaluated length. The points are exp(mean negative log-likelihood), which
   * the intervals surround; runs with a high last perplexity come first, as at the right edge.
   * Baselines are lines without intervals.
   */
  Chart perplexities() {
    List<Column> columns =
        table.columns().stream()
            .sorted(Comparator.comparingDouble(this::lastPerplexity).reversed())
            .toList();
    return new Chart(
        "perplexity-" + table.protocol().label(),
        "Perplexity against evaluated length, %s protocol".formatted(table.protocol().label()),
        "",
        lengths(table.lengths()),
        new Axis("perplexity", Scale.LOG, Format.NUMBER),
        columns.stream().map(this::perplexities).toList());
  }

  private Series perplexities(Column column) {
    List<Point> points = new ArrayList<>();
    for (int length : table.lengths()) {
      table
          .cell(column, length)
          .filter(cell -> Double.isFinite(cell.ofMeanNll()))
          .ifPresent(
              cell ->
                  points.add(
                      statistics
                          .mean(column, length)
                          .filter(mean -> !column.isBaseline())
                          .map(Estimate::interval)
                          .map(nats -> point(length, cell.ofMeanNll(), nats))
                          .orElse(new Point(length, cell.ofMeanNll()))));
    }
    return new Series(
        looks.of(column.run()),
        column.isBaseline() ? Style.PALE : Style.BARS,
        points,
        "{x} tokens: perplexity {y}" + interval);
  }

  private static Point point(int length, double perplexity, Interval nats) {
    return new Point(length, perplexity, Math.exp(nats.low()), Math.exp(nats.high()));
  }

  private double lastPerplexity(Column column) {
    return table.lengths().stream()
        .flatMap(length -> table.cell(column, length).stream())
        .mapToDouble(TableCell::ofMeanNll)
        .reduce(0, (earlier, later) -> later);
  }

  /** The paired change since the training length, with the two levels that decide verdicts. */
  Chart changes(VerdictRule rule) {
    List<Integer> lengths =
        statistics.changes().values().stream()
            .flatMap(byLength -> byLength.keySet().stream())
            .distinct()
            .sorted()
            .toList();
    return new Chart(
        "change-" + table.protocol().label(),
        "Change since the training length, %s protocol".formatted(table.protocol().label()),
        "",
        lengths(lengths),
        new Axis(
            "change in nats since the training length",
            Scale.LINEAR,
            Format.CHANGE,
            List.of(0.0),
            List.of(),
            Stream.of(rule.toleratedRatio(), rule.explosiveRatio())
                .map(
                    ratio ->
                        new Mark(Math.log(ratio), "perplexity × " + PerplexityNumbers.plain(ratio)))
                .toList()),
        statistics.verdicts().keySet().stream().map(this::changes).toList());
  }

  private Series changes(Column column) {
    List<Point> points = new ArrayList<>();
    statistics.changesOf(column).forEach((length, change) -> points.add(point(length, change, "")));
    return new Series(
        looks.of(column.run()), Style.BARS, points, "{x} tokens: {y} nats" + interval);
  }

  private static Point point(double x, Estimate nats, String at) {
    return new Point(x, nats.mean(), nats.interval().low(), nats.interval().high(), at);
  }

  Chart positions() {
    List<Series> series = new ArrayList<>();
    statistics.byPosition().forEach((column, bins) -> series.add(positions(column, bins)));
    return new Chart(
        "positions-" + table.protocol().label(),
        "Loss by position, %s protocol, %s tokens"
            .formatted(table.protocol().label(), Numbers.count(statistics.longest())),
        "",
        new Axis(
            "tokens read before the target",
            Scale.DOUBLINGS,
            Format.COUNT,
            List.of(1.0),
            Looks.doublings(statistics.longest()),
            Looks.trainedAt(
                table.trainLengths().stream().filter(at -> at < statistics.longest()).toList())),
        new Axis("negative log-likelihood in nats", Scale.LINEAR, Format.NATS),
        series);
  }

  private Series positions(Column column, Map<PositionBin, Estimate> bins) {
    List<Point> points = new ArrayList<>();
    bins.forEach((bin, nll) -> points.add(point(bin.middle(), nll, words(bin))));
    return new Series(
        looks.of(column.run()),
        column.isBaseline() ? Style.PALE : Style.MARKED,
        points,
        "{x} tokens before: {y} nats" + interval);
  }

  private static String words(PositionBin bin) {
    return bin.first() == bin.last()
        ? Numbers.count(bin.first())
        : Numbers.count(bin.first()) + " to " + Numbers.count(bin.last());
  }

  private Axis lengths(List<Integer> lengths) {
    List<Double> ticks = lengths.stream().map(Integer::doubleValue).toList();
    return new Axis(
        "evaluated length in tokens",
        Scale.DOUBLINGS,
        Format.COUNT,
        ticks,
        ticks,
        Looks.trainedAt(table.trainLengths()));
  }
}
