package org.lengthwise.report.training;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lengthwise.config.EnumName;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.RunName;
import org.lengthwise.training.loop.Metrics;

/**
 * The loss of several runs during training: training as a thin line, smoothed, and validation with
 * markers.
 *
 * @param logX whether the x axis is logarithmic; it then omits measurements before the first step
 * @param smoothing the weight of the past in the running mean of the training loss, at least 0 and
 *     less than 1; 0 means no smoothing
 */
public record LossChart(Against against, boolean logX, boolean logY, double smoothing) {
  /** The loss in a report: against tokens, on a logarithmic y axis. */
  private static final LossChart OF_REPORT = new LossChart(Against.TOKENS, false, true, 0.9);

  private static final String TITLE = "Loss during training";
  private static final String TOKENS = "tokens trained on";

  /** The points of a curve: enough to look smooth. */
  private static final int MAX_POINTS = 800;

  public enum Against {
    STEPS,
    TOKENS;

    private double of(Metrics.Measured line) {
      return this == STEPS ? line.step() : line.tokens();
    }

    @Override
    public String toString() {
      return EnumName.of(this); // as on the command line
    }
  }

  public LossChart {
    if (!(smoothing >= 0 && smoothing < 1)) {
      throw new IllegalArgumentException(
          "smoothing: expected at least 0 and less than 1, found " + smoothing);
    }
  }

  /**
   * {@return the losses of some runs as a chart, called {@code loss}} Each run has a different
   * look.
   *
   * @param runs the runs, at least one; runs with the same name are named by their paths
   */
  public Chart of(List<RunMetrics> runs) {
    boolean distinct = runs.stream().map(RunMetrics::name).distinct().count() == runs.size();
    List<Series> series = new ArrayList<>();
    for (RunMetrics run : runs) {
      String name = distinct ? run.name() : run.folder().toString();
      Label label = new Label(RunName.heading(name), name, runs.indexOf(run));
      LossCurve training = curve(run.training()).smoothed(smoothing).thinned(MAX_POINTS);
      LossCurve validation = curve(run.validation()).thinned(MAX_POINTS);
      series.add(thin(label, validation.isEmpty(), training, ""));
      series.add(new Series(label, Style.MARKED, validation.points(), ""));
    }
    return chart("loss", TITLE, against.toString(), series);
  }

  private LossCurve curve(List<? extends Metrics.Measured> lines) {
    return LossCurve.of(
        lines.stream().filter(line -> !logX || against.of(line) > 0).toList(), against::of);
  }

  /**
   * The losses of every run and seed of a report, by tokens, on a logarithmic y axis: a chart for
   * each subject, since losses of unlike subjects are not comparable.
   *
   * @param runs the runs; the legend names the first seed of each
   */
  static List<Chart> ofReport(List<TrainedRun> runs, Looks looks) {
    Map<String, List<TrainedRun>> bySubject = runs.stream().collect(Groups.by(TrainedRun::subject));
    return bySubject.entrySet().stream()
        .map(
            one ->
                bySubject.size() == 1
                    ? OF_REPORT.chart("training", TITLE, TOKENS, series(one.getValue(), looks))
                    : OF_REPORT.chart(
                        "training-" + one.getKey(),
                        TITLE + ", " + one.getKey(),
                        TOKENS,
                        series(one.getValue(), looks)))
        .toList();
  }

  private static List<Series> series(List<TrainedRun> runs, Looks looks) {
    List<Series> series = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (TrainedRun run : runs) {
      Label label = looks.of(run.run());
      boolean first = named.add(run.run());
      boolean alone = run.validation().isEmpty();
      String seed = "seed " + run.seed();
      series.add(
          thin(
              label,
              first && alone,
              run.training().smoothed(OF_REPORT.smoothing),
              seed + ", training, running mean, after {x} tokens: {y} nats"));
      series.add(
          new Series(
              label,
              Style.MARKERS,
              first && !alone,
              run.validation().points(),
              List.of(),
              seed + ", validation after {x} tokens: {y} nats"));
    }
    return series;
  }

  private static Series thin(Label label, boolean named, LossCurve curve, String reading) {
    return new Series(label, Style.THIN, named, curve.points(), List.of(), reading);
  }

  private Chart chart(String name, String title, String counted, List<Series> series) {
    return new Chart(
        name,
        title,
        "thin: training, smoothed; markers: validation",
        new Axis(counted, logX ? Scale.LOG : Scale.LINEAR, Format.COUNT),
        new Axis("negative log-likelihood in nats", logY ? Scale.LOG : Scale.LINEAR, Format.NATS),
        series.stream().filter(one -> !one.points().isEmpty()).toList());
  }
}
