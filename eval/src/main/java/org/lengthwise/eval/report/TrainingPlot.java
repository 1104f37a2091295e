package org.lengthwise.eval.report;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The loss of every run and seed of a report while it trained. */
final class TrainingPlot {
  static final String NAME = "training";

  /**
   * The weight of the past in the running mean of the training loss; the page's script has it too.
   */
  private static final double SMOOTHING = 0.9;

  private TrainingPlot() {}

  /** Draws runs, at least one; a run's seeds share its colour and its line in the legend. */
  static Plot of(List<TrainedRun> runs, PlotStyle style) {
    double unit = LossDrawing.unit(runs.stream().flatMap(run -> run.training().tokens().stream()));
    LossDrawing drawing =
        new LossDrawing(
            style,
            LossDrawing.counted(unit, "tokens")
                + "  (thin: training, smoothed; strong: validation)");
    drawing.logarithmic(false, true);
    Set<String> inLegend = new HashSet<>();
    for (TrainedRun run : runs) {
      drawing.add(
          new LossDrawing.Run(
              "%s, seed %d".formatted(run.run(), run.seed()), run.run(), inLegend.add(run.run())),
          LossCurve.of(run.training(), unit).smoothed(SMOOTHING),
          LossCurve.of(run.validation(), unit));
    }
    return drawing.plot(NAME);
  }
}
