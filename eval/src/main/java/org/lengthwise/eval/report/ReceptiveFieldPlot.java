package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * Cumulative gradient against position, one plot for each length: trained models solid, the same
 * models before training dashed, averaged over seeds.
 */
final class ReceptiveFieldPlot {
  /** The points of a curve: enough to look smooth. */
  private static final int MAX_POINTS = 129;

  /**
   * Every so many points of a dashed curve one is left out. The library strokes each segment by
   * itself, so that a dash pattern of the stroke would start anew at every point.
   */
  private static final int DASH = 3;

  private ReceptiveFieldPlot() {}

  /** Draws all receptive fields, the shortest length first. */
  static List<Plot> of(List<ReceptiveFieldResult> results, PlotStyle style) {
    TreeMap<Integer, List<ReceptiveFieldResult>> byLength =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    ReceptiveFieldResult::length, TreeMap::new, Collectors.toList()));
    List<Plot> plots = new ArrayList<>();
    byLength.forEach((length, atLength) -> plots.add(draw(length, atLength, style)));
    return plots;
  }

  private static Plot draw(int length, List<ReceptiveFieldResult> results, PlotStyle style) {
    String title = "Receptive field over " + Numbers.count(length) + " tokens";
    XYChart chart =
        style.chart(
            title,
            "tokens before the last position  (dashed: before training)",
            "share of the gradient from here to the end");
    chart.getStyler().setXAxisMin((double) -length);
    chart.getStyler().setXAxisMax(0.01 * length);
    chart.getStyler().setYAxisMin(-0.02);
    chart.getStyler().setYAxisMax(1.08);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(x -> Numbers.count(Math.round(Math.abs(x))));
    byRun(results).forEach((run, ofRun) -> add(chart, run, ofRun, style));
    results.stream()
        .map(ReceptiveFieldResult::trainLength)
        .distinct()
        .filter(trainLength -> trainLength < length)
        .forEach(
            trainLength ->
                PlotStyle.mark(
                    chart,
                    -trainLength,
                    new AnnotationText(
                        "trained at " + Numbers.count(trainLength),
                        -trainLength - PlotStyle.besideMark(length),
                        1.05,
                        false)));
    return new Plot("receptive-field-" + length, title, chart);
  }

  private static Map<String, List<ReceptiveFieldResult>> byRun(List<ReceptiveFieldResult> results) {
    return results.stream()
        .sorted(Comparator.comparing(ReceptiveFieldResult::run, RunName.paperFirst()))
        .collect(
            Collectors.groupingBy(
                ReceptiveFieldResult::run, LinkedHashMap::new, Collectors.toList()));
  }

  private static void add(
      XYChart chart, String run, List<ReceptiveFieldResult> results, PlotStyle style) {
    int length = results.get(0).length();
    int[] positions = positions(length);
    double[] xs = IntStream.of(positions).mapToDouble(n -> n - (length - 1)).toArray();
    String name = RunName.heading(run);
    double[] trained = mean(results, ReceptiveFieldResult::trained, positions);
    style.drawCurve(chart.addSeries(name, xs, trained), run, false);
    double[] untrained = mean(results, ReceptiveFieldResult::untrained, positions);
    XYSeries dashed = chart.addSeries(name + ", untrained", xs, dashed(untrained));
    dashed.setShowInLegend(false);
    style.drawCurve(dashed, run, true);
  }

  /** Positions spread evenly from the first to the last, all of them if there are few. */
  private static int[] positions(int length) {
    int points = Math.min(length, MAX_POINTS);
    return IntStream.range(0, points)
        .map(i -> (int) ((long) i * (length - 1) / Math.max(1, points - 1)))
        .toArray();
  }

  private static double[] dashed(double[] curve) {
    return IntStream.range(0, curve.length)
        .mapToDouble(i -> i % DASH == DASH - 1 ? Double.NaN : curve[i])
        .toArray();
  }

  private static double[] mean(
      List<ReceptiveFieldResult> results,
      Function<ReceptiveFieldResult, CumulativeGradient> curve,
      int[] positions) {
    return IntStream.of(positions)
        .mapToDouble(
            n ->
                results.stream()
                    .mapToDouble(result -> curve.apply(result).cumulative().get(n))
                    .average()
                    .orElseThrow())
        .toArray();
  }
}
