package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;

/** Losses of several runs: training as a thin line, validation as a strong one with markers. */
final class LossDrawing {
  private static final String TITLE = "Loss during training";

  private static final double MILLION = 1e6;

  /** Free space beside the curves, as a share of what they span. */
  private static final double MARGIN_X = 0.02;

  private static final double MARGIN_Y = 0.05;

  private final PlotStyle style;
  private final XYChart chart;
  private final List<LossCurve> drawn = new ArrayList<>();

  /**
   * Whose losses are drawn.
   *
   * @param name what no other has
   * @param colour the run of the style whose colour and heading it takes
   * @param inLegend whether it has a line in the legend
   */
  record Run(String name, String colour, boolean inLegend) {}

  /** A drawing without any curve, on linear axes. */
  LossDrawing(PlotStyle style, String xTitle) {
    this.style = style;
    this.chart = style.chart(TITLE, xTitle, "negative log-likelihood in nats");
  }

  /** What one unit of the x axis stands for, so that its labels stay short. */
  static double unit(Stream<Double> counts) {
    return counts.anyMatch(count -> count >= MILLION) ? MILLION : 1;
  }

  /** What the x axis counts, with its unit. */
  static String counted(double unit, String what) {
    return (unit == MILLION ? "million " : "") + what;
  }

  void logarithmic(boolean x, boolean y) {
    chart.getStyler().setXAxisLogarithmic(x);
    chart.getStyler().setYAxisLogarithmic(y);
    chart.getStyler().setYAxisLogarithmicDecadeOnly(false);
  }

  /** Adds the curves of a run; the thin one is in the legend where there is no other. */
  void add(Run run, LossCurve training, LossCurve validation) {
    drawn.addAll(List.of(training, validation));
    boolean thinInLegend = run.inLegend() && validation.isEmpty();
    series(run, ", training", training, thinInLegend)
        .forEach(series -> drawThin(series, run, validation.isEmpty()));
    series(run, "", validation, run.inLegend()).forEach(series -> style.draw(series, run.colour()));
  }

  private void drawThin(XYSeries series, Run run, boolean alone) {
    if (alone) {
      style.drawCurve(series, run.colour(), true);
    } else {
      style.drawPale(series, run.colour());
    }
  }

  /** A curve as a series, unless it has no point: the library refuses such a series. */
  private List<XYSeries> series(Run run, String kind, LossCurve curve, boolean inLegend) {
    if (curve.isEmpty()) {
      return List.of();
    }
    XYSeries series = chart.addSeries(run.name() + kind, curve.xs(), curve.losses());
    series.setLabel(RunName.heading(run.colour()) + kind);
    series.setShowInLegend(inLegend);
    return List.of(series);
  }

  /** The drawing, with a little air around the curves so that no marker is cut. */
  Plot plot(String name) {
    if (drawn.stream().anyMatch(curve -> !curve.isEmpty())) {
      XYStyler axes = chart.getStyler();
      AxisRange xs =
          AxisRange.of(drawn.stream().flatMap(curve -> curve.xs().stream()))
              .widened(MARGIN_X, axes.isXAxisLogarithmic());
      AxisRange losses =
          AxisRange.of(drawn.stream().flatMap(curve -> curve.losses().stream()))
              .widened(MARGIN_Y, axes.isYAxisLogarithmic());
      axes.setXAxisMin(xs.low());
      axes.setXAxisMax(xs.high());
      axes.setYAxisMin(losses.low());
      axes.setYAxisMax(losses.high());
    }
    return new Plot(name, TITLE, chart);
  }
}
