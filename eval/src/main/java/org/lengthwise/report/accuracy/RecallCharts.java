package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Bin;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Interval;

/** The charts of a group. */
record RecallCharts(RecallGroup group, Looks looks, double confidence) {
  private static final int TOKENS = RecallScore.TOKENS;

  /** Token accuracy against length, with the baselines as thin lines. */
  Chart byLength() {
    List<Series> series = new ArrayList<>();
    AccuracyResult any = group.all().any();
    IntStream.range(0, any.baselines().size()).forEach(rule -> series.add(baseline(rule)));
    for (AccuracyMean model : group.models()) {
      series.add(
          series(
              model,
              model.lengths().stream().map(length -> point(length, model.at(length))).toList()));
    }
    double chance = any.share(TOKENS).chance();
    return new Chart(
        "recall-" + group.file(),
        "Right tokens by length, " + group.title(),
        "bands: Wilson's intervals",
        axis("length", ticks(group.all().lengths()), Looks.trainedAt(group.all().trainLengths())),
        Axis.ofShares("share of right tokens", new Axis.Mark(chance, "guess")),
        series);
  }

  private static Axis axis(String title, List<Double> ticks, List<Axis.Mark> marks) {
    return new Axis(title, Scale.DOUBLINGS, Format.COUNT, List.of(), ticks, marks);
  }

  /** Doublings from the shortest length. */
  private static List<Double> ticks(List<Integer> lengths) {
    List<Double> ticks = new ArrayList<>();
    for (double at = lengths.get(0); at <= lengths.get(lengths.size() - 1); at *= 2) {
      ticks.add(at);
    }
    return ticks;
  }

  private Series series(AccuracyMean model, List<Point> points) {
    Label look = looks.of(model.run());
    String name = group.heading(model);
    return group.isLearned(model)
        ? new Series(
            new Label(name, look.run(), look.look()),
            Style.MARKED,
            points,
            "at {x}: {y}|, {low} to {high}")
        : new Series(
            new Label(name + ", " + Entry.NOT_LEARNED, look.run(), Label.GREY),
            Style.PALE,
            points,
            "at {x}: {y}");
  }

  private Point point(int length, AccuracyMean at) {
    if (at.results().size() > 1) {
      return new Point(length, at.tokenShare());
    }
    Interval interval = at.any().interval(TOKENS, confidence);
    return new Point(length, at.tokenShare(), interval.low(), interval.high());
  }

  /** All models read the same strings, so any of them knows the errors of a rule. */
  private Series baseline(int rule) {
    List<Point> points =
        group.all().lengths().stream()
            .map(
                length ->
                    new Point(
                        length,
                        group
                            .all()
                            .at(length)
                            .mean(one -> one.of(one.baselines().get(rule), TOKENS))))
            .toList();
    String name = group.all().any().baselines().get(rule).name();
    return new Series(
        new Label(name, "", looks.runs().size() + rule), Style.THIN, points, "at {x}: {y}");
  }

  /** Token accuracy by distance at the longest length. */
  Chart byDistance() {
    int longest = group.longest();
    List<Series> series =
        group.models().stream()
            .filter(model -> model.lengths().contains(longest))
            .map(model -> series(model, byDistance(model.at(longest))))
            .toList();
    List<Double> distances =
        series.stream()
            .flatMap(one -> one.points().stream().map(Point::x))
            .distinct()
            .sorted()
            .toList();
    return new Chart(
        "recall-distance-" + group.file(),
        "Right tokens by distance at length %s, %s"
            .formatted(Numbers.count(longest), group.title()),
        "",
        axis("longest distance of a bin", distances, List.of()),
        Axis.ofShares("share of right tokens at length " + Numbers.count(longest)),
        series);
  }

  private static List<Point> byDistance(AccuracyMean at) {
    Map<Integer, List<Bin>> bins =
        at.results().stream()
            .flatMap(one -> one.distances().stream())
            .collect(Collectors.groupingBy(Bin::longest, TreeMap::new, Collectors.toList()));
    return bins.entrySet().stream()
        .map(
            bin -> {
              long count = bin.getValue().stream().mapToLong(Bin::count).sum();
              long right = bin.getValue().stream().mapToLong(Bin::right).sum();
              return new Point(bin.getKey(), 1 - (double) (count - right) / count);
            })
        .toList();
  }
}
