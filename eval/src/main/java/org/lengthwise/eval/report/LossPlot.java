package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.lengthwise.dataprep.artifact.AtomicFile;
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

  private static final double MILLION = 1e6;

  /** Free space beside the curves, as a share of what they span. */
  private static final double MARGIN_X = 0.02;

  private static final double MARGIN_Y = 0.05;

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
    Plot plot = draw(runs);
    Files.createDirectories(folder);
    Path svg = folder.resolve(NAME + ".svg");
    Path png = folder.resolve(NAME + ".png");
    byte[] drawing = plot.svg().getBytes(StandardCharsets.UTF_8);
    byte[] picture = plot.png();
    AtomicFile.write(svg, out -> out.write(drawing));
    AtomicFile.write(png, out -> out.write(picture));
    return List.of(svg, png);
  }

  private Plot draw(List<RunMetrics> runs) {
    String title = "Loss during training";
    List<String> names = names(runs);
    PlotStyle style = new PlotStyle(names);
    double scale =
        runs.stream().anyMatch(run -> run.lines().anyMatch(line -> against.of(line) >= MILLION))
            ? MILLION
            : 1;
    String counted = (scale == MILLION ? "million " : "") + against;
    XYChart chart =
        style.chart(
            title,
            counted + "  (thin: training, smoothed; strong: validation)",
            "negative log-likelihood in nats");
    chart.getStyler().setXAxisLogarithmic(logX);
    chart.getStyler().setYAxisLogarithmic(logY);
    chart.getStyler().setYAxisLogarithmicDecadeOnly(false);
    List<LossCurve> drawn = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      String name = names.get(i);
      LossCurve training = curve(runs.get(i).training().stream(), scale).smoothed(smoothing);
      LossCurve validation = curve(runs.get(i).validation().stream(), scale);
      drawn.addAll(List.of(training, validation));
      add(chart, name + ", training", training)
          .forEach(series -> drawThin(series, style, name, validation.isEmpty()));
      add(chart, RunName.heading(name), validation).forEach(series -> style.draw(series, name));
    }
    scaleAxes(chart.getStyler(), drawn);
    return new Plot(NAME, title, chart);
  }

  /** Leaves a little air around the curves, so that no marker is cut. */
  private void scaleAxes(XYStyler style, List<LossCurve> drawn) {
    if (drawn.stream().allMatch(LossCurve::isEmpty)) {
      return;
    }
    AxisRange xs = AxisRange.of(drawn.stream().flatMap(curve -> curve.xs().stream()));
    AxisRange losses = AxisRange.of(drawn.stream().flatMap(curve -> curve.losses().stream()));
    AxisRange aroundX = xs.widened(MARGIN_X, logX);
    AxisRange aroundY = losses.widened(MARGIN_Y, logY);
    style.setXAxisMin(aroundX.low());
    style.setXAxisMax(aroundX.high());
    style.setYAxisMin(aroundY.low());
    style.setYAxisMax(aroundY.high());
  }

  /** The runs' names, or their paths where two have the same name. */
  private static List<String> names(List<RunMetrics> runs) {
    boolean distinct = runs.stream().map(RunMetrics::name).distinct().count() == runs.size();
    return runs.stream().map(run -> distinct ? run.name() : run.folder().toString()).toList();
  }

  private LossCurve curve(Stream<? extends Metrics.Measured> lines, double scale) {
    List<Double> xs = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    lines
        .filter(line -> !logX || against.of(line) > 0)
        .forEach(
            line -> {
              xs.add(against.of(line) / scale);
              losses.add(line.loss());
            });
    return new LossCurve(xs, losses);
  }

  /** Adds a curve, unless it has no point: the library refuses such a series. */
  private static List<XYSeries> add(XYChart chart, String name, LossCurve curve) {
    LossCurve thinned = curve.thinned(MAX_POINTS);
    return thinned.isEmpty()
        ? List.of()
        : List.of(chart.addSeries(name, thinned.xs(), thinned.losses()));
  }

  private static void drawThin(XYSeries series, PlotStyle style, String name, boolean inLegend) {
    style.drawCurve(series, name, true);
    series.setShowInLegend(inLegend);
  }
}
