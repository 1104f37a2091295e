package org.lengthwise.report.states;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.StatesResult;

/** The outputs for one string on the plane of two principal components, one look for each level. */
final class StatesChart {
  private StatesChart() {}

  /** A chart for each run and length, of its first seed. */
  static List<Chart> of(List<StatesResult> results, ModelState weights) {
    record RunLength(String run, int length) {}
    return results.stream()
        .filter(result -> result.weights() == weights)
        .sorted(Comparator.comparingLong(result -> result.subject().seed()))
        .collect(
            Collectors.toMap(
                result -> new RunLength(result.run(), result.strings().length()),
                StatesChart::chart,
                (first, other) -> first,
                LinkedHashMap::new))
        .values()
        .stream()
        .sorted(Comparator.comparing(Chart::name))
        .toList();
  }

  private static Chart chart(StatesResult result) {
    return new Chart(
        "states-%s-%s-%s"
            .formatted(result.run(), result.strings().length(), result.weights().label()),
        "Outputs of %s, seed %s, %s, for a string of %s symbols"
            .formatted(
                RunName.heading(result.run()),
                result.subject().seed(),
                result.weights().label(),
                Numbers.count(result.strings().length())),
        "a marker is the output for a window",
        axis(result, 0, "first"),
        axis(result, 1, "second"),
        IntStream.range(0, result.projection().size())
            .mapToObj(level -> series(result, level))
            .toList());
  }

  private static Axis axis(StatesResult result, int component, String name) {
    return new Axis(
        "%s principal component (%s %% of the variance)"
            .formatted(name, Math.round(100 * result.outputs().variance().get(component))),
        Scale.LINEAR,
        Format.NUMBER,
        span(result),
        List.of(),
        List.of());
  }

  /** Both axes show the same range, so that the second component does not look as wide. */
  private static List<Double> span(StatesResult result) {
    double[] sorted =
        result.projection().stream()
            .flatMap(level -> Stream.concat(level.x().stream(), level.y().stream()))
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    return List.of(sorted[0], sorted[sorted.length - 1]);
  }

  private static Series series(StatesResult result, int level) {
    StatesResult.Level outputs = result.projection().get(level);
    return new Series(
        new Label("level " + (level + 1), result.run(), level),
        Style.MARKERS,
        IntStream.range(0, outputs.x().size())
            .mapToObj(i -> new Point(outputs.x().get(i), outputs.y().get(i)))
            .distinct()
            .sorted(Comparator.comparingDouble(Point::x))
            .toList(),
        "{x}, {y}");
  }
}
