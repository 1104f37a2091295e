package org.lengthwise.report.recall;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.recall.RecallGroup.Model;
import org.lengthwise.result.RecallDetails;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Interval;

/**
 * The charts of a group.
 *
 * @param looks the look of each run
 * @param confidence the share that intervals hold
 */
record RecallCharts(RecallGroup group, Looks looks, double confidence) {
  /** Token accuracy against length, with the baselines as thin lines. */
  Chart byLength() {
    List<Series> series = new ArrayList<>();
    List<RecallDetails.Errors> rules = group.scores().get(0).details().baselines();
    IntStream.range(0, rules.size()).forEach(r -> series.add(baseline(rules.get(r).rule(), r)));
    for (Model model : group.models()) {
      series.add(
          series(
              model,
              group.lengths().stream()
                  .filter(length -> !group.at(model, length).isEmpty())
                  .map(length -> point(length, group.at(model, length)))
                  .toList()));
    }
    double chance = group.scores().get(0).details().chance();
    return new Chart(
        "recall-" + group.file(),
        "Right tokens by length, " + group.title(),
        "bands: Wilson's intervals",
        axis("length", ticks(group.lengths()), Looks.trainedAt(group.trainLengths())),
        new Axis(
            "share of right tokens",
            Scale.LINEAR,
            Format.SHARE,
            List.of(0.0, 1.0),
            List.of(),
            List.of(new Axis.Mark(chance, "guess"))),
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

  private Series series(Model model, List<Point> points) {
    Label look = looks.of(model.run());
    String name = model.heading(group.hasSeeds());
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

  private Point point(int length, List<RecallScore> scores) {
    double mean =
        scores.stream().mapToDouble(one -> one.tokens().accuracy()).average().orElseThrow();
    if (scores.size() > 1) {
      return new Point(length, mean);
    }
    Interval interval = scores.get(0).tokenInterval(confidence);
    return new Point(length, mean, interval.low(), interval.high());
  }

  /** All models read the same strings, so any of them knows the errors of a rule. */
  private Series baseline(String rule, int index) {
    List<Point> points =
        group.lengths().stream()
            .map(
                length ->
                    new Point(
                        length,
                        group.scores().stream()
                            .filter(one -> one.line().strings().length() == length)
                            .mapToDouble(
                                one ->
                                    1
                                        - (double) one.details().baselines().get(index).tokens()
                                            / one.tokens().count())
                            .average()
                            .orElseThrow()))
            .toList();
    return new Series(
        new Label(rule, "", looks.runs().size() + index), Style.THIN, points, "at {x}: {y}");
  }

  /** Token accuracy by distance at the longest length. */
  Chart byDistance() {
    int longest = group.lengths().get(group.lengths().size() - 1);
    List<Series> series =
        group.models().stream()
            .filter(model -> !group.at(model, longest).isEmpty())
            .map(model -> series(model, byDistance(group.at(model, longest))))
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
        new Axis(
            "share of right tokens at length " + Numbers.count(longest),
            Scale.LINEAR,
            Format.SHARE,
            List.of(0.0, 1.0),
            List.of(),
            List.of()),
        series);
  }

  private static List<Point> byDistance(List<RecallScore> scores) {
    return scores.stream()
        .flatMap(score -> score.details().distances().stream())
        .mapToInt(RecallDetails.Bin::longest)
        .distinct()
        .sorted()
        .mapToObj(
            to -> {
              long count = 0;
              long errors = 0;
              for (RecallScore score : scores) {
                for (RecallDetails.Bin bin : score.details().distances()) {
                  count += bin.longest() == to ? bin.count() : 0;
                  errors += bin.longest() == to ? bin.errors() : 0;
                }
              }
              return new Point(to, 1 - (double) errors / count);
            })
        .toList();
  }

  /** For each model the share of right strings by length and depth. */
  List<HeatMap> maps() {
    List<Double> depths = List.copyOf(group.depths());
    List<Integer> lengths = group.lengths();
    return depths.size() < 2
        ? List.of()
        : group.models().stream()
            .map(
                model -> {
                  boolean isLearned = group.isLearned(model);
                  return new HeatMap(
                      "recall-depth-%s-%s-seed%s"
                          .formatted(group.file(), model.run(), model.seed()),
                      "%% of right keys, %s, %s%s"
                          .formatted(
                              group.title(),
                              model.heading(group.hasSeeds()),
                              isLearned ? "" : ", " + Entry.NOT_LEARNED),
                      "length",
                      "depth",
                      lengths.stream().map(String::valueOf).toList(),
                      depths.stream().map(String::valueOf).toList(),
                      depths.stream()
                          .map(d -> lengths.stream().map(l -> group.at(model, l, d)).toList())
                          .toList(),
                      1,
                      !isLearned);
                })
            .toList();
  }
}
