package org.lengthwise.report.scoreboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Question;

/**
 * What models give for their time: a perplexity and a share of right answers.
 *
 * @param text the question whose answer is on the x axis
 * @param share the question whose answer is on the y axis
 */
record TradeChart(Question text, Question share, List<Trade> trades) {
  private static final String READING = "perplexity {x}: {y}";

  TradeChart {
    trades = List.copyOf(trades);
  }

  record Trade(String row, double perplexity, double share, OptionalDouble time) {
    /** Times whose ratio is smaller are equal: other work on a machine changes them as much. */
    private static final double SAME_TIME = 1.1;

    boolean beats(Trade other) {
      return isAsGoodAs(other) && (perplexity < other.perplexity || share > other.share);
    }

    /**
     * Whether this model is at least as good in both and as fast, and better in one of the three.
     */
    boolean beatsInTime(Trade other) {
      return isAsGoodAs(other)
          && seconds() <= SAME_TIME * other.seconds()
          && (beats(other) || SAME_TIME * seconds() < other.seconds());
    }

    private boolean isAsGoodAs(Trade other) {
      return perplexity <= other.perplexity && share >= other.share;
    }

    private double seconds() {
      return time.orElse(Double.POSITIVE_INFINITY);
    }

    private Point point() {
      return new Point(perplexity, share);
    }
  }

  /**
   * The chart.
   *
   * @param cost the question whose answers are the times; empty if no time is known
   */
  Chart of(Looks looks, Optional<Question> cost) {
    List<Series> series = new ArrayList<>();
    series.add(
        new Series(
            new Label("no other beats it", "", Label.GREY),
            Style.THIN,
            trades.stream()
                .filter(one -> trades.stream().noneMatch(other -> other.beats(one)))
                .map(Trade::point)
                .sorted(Comparator.comparing(Point::x))
                .toList(),
            READING));
    for (Trade one : trades) {
      Label label = looks.of(one.row);
      boolean isStarred = trades.stream().noneMatch(other -> other.beatsInTime(one));
      String name =
          label.name()
              + cost.map(times -> one.time.stream().mapToObj(times::number))
                  .flatMap(Stream::findFirst)
                  .map(", "::concat)
                  .orElse("")
              + (isStarred ? " *" : "");
      series.add(
          new Series(
              new Label(name, label.run(), label.look()),
              Style.MARKERS,
              List.of(one.point()),
              READING));
    }
    return new Chart(
        "scoreboard-" + share.title().replaceAll("[^A-Za-z0-9.]+", "-"),
        "%s against %s".formatted(share.title(), text.title()),
        cost.map(
                times ->
                    "names with %s; *: no other beats it, also in time".formatted(times.title()))
            .orElse("*: no other beats it"),
        perplexities(),
        new Axis(
            "right, " + share.title(),
            Scale.LINEAR,
            Format.SHARE,
            List.of(share.guess(), 1.0),
            List.of(),
            List.of(new Axis.Mark(share.guess(), "guess"))),
        series);
  }

  /** Perplexities of less than two doublings are on a linear scale. */
  private Axis perplexities() {
    DoubleSummaryStatistics range =
        trades.stream().mapToDouble(Trade::perplexity).summaryStatistics();
    List<Double> ticks =
        DoubleStream.iterate(1, tick -> tick < 2 * range.getMax(), tick -> 2 * tick)
            .filter(tick -> 2 * tick > range.getMin())
            .boxed()
            .toList();
    return range.getMax() < 4 * range.getMin()
        ? new Axis(text.title(), Scale.LINEAR, Format.NUMBER)
        : new Axis(text.title(), Scale.DOUBLINGS, Format.NUMBER, List.of(), ticks, List.of());
  }
}
