package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.lengthwise.training.loop.Metrics;

/**
 * The loss of several runs while they trained: training as a thin line, smoothed, validation as a
 * strong one with markers.
 *
 * @param against what the x axis counts
 * @param logX whether the x axis is logarithmic; what was measured before the first step has no
 *     place on it then
 * @param logY whether the y axis is logarithmic
 * @param smoothing the weight of the past in the running mean of the training loss, at least 0 and
 *     less than 1; 0 leaves it as it is
 */
public record LossPlot(Against against, boolean logX, boolean logY, double smoothing) {
  private static final String NAME = "loss";

  /** The points of a curve: enough to look smooth. */
  private static final int MAX_POINTS = 800;

  /** What an x axis counts. */
  public enum Against {
    /** Finished steps. */
    STEPS,
    /** Tokens trained on. */
    TOKENS;

    private double of(Metrics.Measured line) {
      return this == STEPS ? line.step() : line.tokens();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT); // as the command line has it
    }
  }

  /** Checks the values. */
  public LossPlot {
    if (!(smoothing >= 0 && smoothing < 1)) {
      throw new IllegalArgumentException(
          "smoothing: expected at least 0 and less than 1, found " + smoothing);
    }
  }

  /**
   * Draws runs as {@code loss.svg} and {@code loss.png}, over earlier ones.
   *
   * @param runs the runs, at least one
   * @param folder where to, created if need be
   * @return the two files
   * @throws IOException if a file cannot be written
   */
  public List<Path> write(List<RunMetrics> runs, Path folder) throws IOException {
    Files.createDirectories(folder);
    return draw(runs).write(folder);
  }

  private Plot draw(List<RunMetrics> runs) {
    List<String> names = names(runs);
    double unit = LossDrawing.unit(runs.stream().flatMap(RunMetrics::lines).map(against::of));
    LossDrawing drawing =
        new LossDrawing(
            new PlotStyle(names),
            LossDrawing.counted(unit, against.toString())
                + "  (thin: training, smoothed; strong: validation)");
    drawing.logarithmic(logX, logY);
    for (int i = 0; i < runs.size(); i++) {
      String name = names.get(i);
      drawing.add(
          new LossDrawing.Run(name, name, true),
          curve(runs.get(i).training().stream(), unit).smoothed(smoothing).thinned(MAX_POINTS),
          curve(runs.get(i).validation().stream(), unit).thinned(MAX_POINTS));
    }
    return drawing.plot(NAME);
  }

  /** The runs' names, or their paths where two have the same name. */
  private static List<String> names(List<RunMetrics> runs) {
    boolean distinct = runs.stream().map(RunMetrics::name).distinct().count() == runs.size();
    return runs.stream().map(run -> distinct ? run.name() : run.folder().toString()).toList();
  }

  private LossCurve curve(Stream<? extends Metrics.Measured> lines, double unit) {
    List<Double> xs = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    lines
        .filter(line -> !logX || against.of(line) > 0)
        .forEach(
            line -> {
              xs.add(against.of(line) / unit);
              losses.add(line.loss());
            });
    return new LossCurve(xs, losses);
  }
}
