package org.lengthwise.report.accuracy;

import java.util.List;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Looks;
import org.lengthwise.statistics.Interval;

/** Accuracy against length: a chart for each task and draw, with a line for each run. */
final class AccuracyChart {
  private AccuracyChart() {}

  static List<Chart> of(List<AccuracyMean> means, Looks looks, double confidence) {
    return means.stream()
        .collect(Groups.by(mean -> List.of(mean.task(), mean.label())))
        .values()
        .stream()
        .map(group -> chart(group, looks, confidence))
        .toList();
  }

  private static Chart chart(List<AccuracyMean> means, Looks looks, double confidence) {
    AccuracyMean any = means.get(0);
    boolean areAnswers = any.areAnswers();
    return new Chart(
        "accuracy-%s-%s".formatted(any.task(), any.label().replaceAll("[^A-Za-z0-9.]+", "-")),
        "Accuracy on %s, %s".formatted(any.task(), any.label()),
        "bands: Wilson's intervals",
        new Axis(
            areAnswers ? "tokens in x" : "length of the strings",
            Scale.LINEAR,
            Format.COUNT,
            List.of(0.0),
            List.of(),
            Looks.trainedAt(means.stream().map(AccuracyMean::trainLength).toList())),
        Axis.ofShares(
            areAnswers ? "share of right answers" : "share of right labels",
            any.constant().stream()
                .map(known -> new Axis.Mark(known.mean(), "constant answer"))
                .toArray(Axis.Mark[]::new)),
        means.stream().map(mean -> series(mean, looks, confidence)).toList());
  }

  private static Series series(AccuracyMean mean, Looks looks, double confidence) {
    return new Series(
        looks.of(mean.run()),
        mean.lengths().size() > 20 ? Style.SOLID : Style.MARKED,
        mean.lengths().stream().map(length -> point(mean.at(length), length, confidence)).toList(),
        "at {x}: {y}|, {low} to {high}");
  }

  private static Point point(AccuracyMean at, int length, double confidence) {
    Interval interval = at.right().interval(confidence);
    return new Point(length, at.mean(), interval.low(), interval.high());
  }
}
