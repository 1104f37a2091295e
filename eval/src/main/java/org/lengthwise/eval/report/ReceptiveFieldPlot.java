package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * Cumulative gradients: all runs at one length, and one run at all its lengths.
 *
 * <p>The first is drawn as in the paper, against position with the last token at the right, where a
 * straight slanted line means that every position matters. The second is drawn against the number
 * of tokens on an axis of doublings, where windows of the same size coincide whatever the length.
 */
final class ReceptiveFieldPlot {
  private static final String SHARE = "share of the gradient";

  /** Where the words of a mark go. */
  private static final double ABOVE = 1.05;

  private ReceptiveFieldPlot() {}

  /** Draws all lengths, the shortest first, then every run that has several. */
  static List<Plot> of(List<ReceptiveFieldResult> results, PlotStyle style) {
    List<ReceptiveFieldMean> means = ReceptiveFieldMean.of(results);
    List<Plot> plots = new ArrayList<>();
    means.stream()
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::length, TreeMap::new, Collectors.toList()))
        .forEach((length, atLength) -> plots.add(ofLength(length, atLength, style)));
    means.stream()
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::run, LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (run, ofRun) -> {
              if (ofRun.size() > 1) {
                plots.add(ofRun(run, ofRun));
              }
            });
    return plots;
  }

  private static Plot ofLength(int length, List<ReceptiveFieldMean> means, PlotStyle style) {
    String title = "Receptive field over " + Numbers.count(length) + " tokens";
    XYChart chart =
        style.chart(
            title, "tokens before the end" + legend(means), SHARE + " from here to the end");
    TokenAxis axis = TokenAxis.fromTheEnd(length);
    axis.scale(chart);
    CurveDrawing drawing = new CurveDrawing(chart, axis);
    means.forEach(mean -> drawing.band(mean, RunName.heading(mean.run()), mean.run(), style));
    means.forEach(mean -> drawing.curves(mean, RunName.heading(mean.run()), mean.run(), style));
    markTraining(chart, axis, means);
    return new Plot("receptive-field-" + length, title, chart);
  }

  private static Plot ofRun(String run, List<ReceptiveFieldMean> means) {
    String title = "Receptive field of " + RunName.heading(run);
    List<String> names =
        means.stream().map(mean -> Numbers.count(mean.length()) + " tokens").toList();
    PlotStyle style = new PlotStyle(names);
    XYChart chart =
        style.chart(title, "most recent tokens" + legend(means), SHARE + " that they hold");
    TokenAxis axis = TokenAxis.doubling(means.get(means.size() - 1).length());
    axis.scale(chart);
    CurveDrawing drawing = new CurveDrawing(chart, axis);
    for (int i = 0; i < means.size(); i++) {
      drawing.band(means.get(i), names.get(i), names.get(i), style);
    }
    for (int i = 0; i < means.size(); i++) {
      drawing.curves(means.get(i), names.get(i), names.get(i), style);
    }
    markTraining(chart, axis, means);
    return new Plot("receptive-field-of-" + run, title, chart);
  }

  private static String legend(List<ReceptiveFieldMean> means) {
    boolean bounded = means.stream().anyMatch(mean -> mean.theoretical() < mean.length());
    return "  (dashed: before training; marks: 50, 90 and 99 %"
        + (bounded ? "; vertical: theoretical field)" : ")");
  }

  private static void markTraining(XYChart chart, TokenAxis axis, List<ReceptiveFieldMean> means) {
    Map<Integer, List<ReceptiveFieldMean>> byTraining =
        means.stream()
            .filter(mean -> mean.trainLength() < axis.length())
            .collect(Collectors.groupingBy(ReceptiveFieldMean::trainLength));
    byTraining
        .keySet()
        .forEach(
            trainLength ->
                PlotStyle.mark(
                    chart,
                    axis.x(trainLength),
                    new AnnotationText(
                        "trained at " + Numbers.count(trainLength),
                        axis.x(trainLength) - PlotStyle.besideMark(axis.units()),
                        ABOVE,
                        false)));
  }
}
