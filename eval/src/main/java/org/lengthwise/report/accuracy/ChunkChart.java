package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.AccuracyResult;

/**
 * Accuracy beyond the training length against the chunk C, a chart for each task and draw: the mean
 * over seeds, from the worst seed to the best; and one of the smallest chunks, a bar for each task
 * and family of models. A model without chunks is a level line, the mean over its runs.
 *
 * <p>Source: Figures 4 and 5 of Soulos et al., "Recurrent Transformers Trade-off Parallelism for
 * Length Generalization on Regular Languages", 2024.
 */
final class ChunkChart {
  /** The width of the bars of a task, whose distance from the next task is 1. */
  private static final double GROUP = 0.8;

  private ChunkChart() {}

  /** A run with its chunk; a model without chunks has none. */
  private record Run(String family, OptionalInt chunk, AccuracyMean mean) {
    Point at(double x) {
      DoubleSummaryStatistics seeds =
          mean.bySeed().stream().mapToDouble(AccuracyMean::mean).summaryStatistics();
      return new Point(x, mean.mean(), seeds.getMin(), seeds.getMax());
    }
  }

  /** The charts of tasks with a model in several chunks. */
  static List<Chart> of(List<AccuracyMean> means, List<TrainedRun> trained) {
    Map<List<String>, List<Run>> tasks =
        means.stream()
            .filter(mean -> mean.any().metric().equals(AccuracyResult.LABELS))
            .flatMap(mean -> mean.ranges().stream())
            .filter(range -> range.lengths().get(0) > range.trainLength())
            .flatMap(range -> run(range, trained).stream())
            .collect(Groups.by(run -> List.of(run.mean.task(), run.mean.label())));
    List<List<Run>> ofChunks = tasks.values().stream().filter(ChunkChart::hasChunks).toList();
    return Stream.concat(
            ofChunks.stream().map(ChunkChart::chart),
            ofChunks.stream().collect(Groups.by(runs -> runs.get(0).mean.label())).values().stream()
                .filter(group -> group.size() > 1)
                .map(ChunkChart::bars))
        .toList();
  }

  private static boolean hasChunks(List<Run> runs) {
    return chunks(runs).size() > 1;
  }

  private static List<Integer> chunks(List<Run> runs) {
    return runs.stream().flatMap(run -> run.chunk.stream().boxed()).distinct().sorted().toList();
  }

  /** Each family with its smallest chunk on each task, as in Figure 4. */
  private static Chart bars(List<List<Run>> tasks) {
    List<String> families =
        tasks.stream().flatMap(List::stream).map(Run::family).distinct().toList();
    List<Series> series = new ArrayList<>();
    for (String family : families) {
      List<Point> bars = new ArrayList<>();
      List<Point> seeds = new ArrayList<>();
      for (int t = 0; t < tasks.size(); t++) {
        double left = 1 + t + GROUP * series.size() / families.size();
        double right = left + GROUP / (families.size() + 1);
        List<Run> own = tasks.get(t).stream().filter(run -> run.family.equals(family)).toList();
        int smallest = own.stream().mapToInt(run -> run.chunk.orElse(0)).min().orElse(0);
        List<Run> shown = own.stream().filter(run -> run.chunk.orElse(0) == smallest).toList();
        if (!shown.isEmpty()) {
          Point mean = mean(shown, (left + right) / 2);
          bars.addAll(bar(left, right, mean.y(), own.get(0).mean.task()));
          seeds.add(new Point(mean.x(), mean.low()));
          seeds.add(new Point(mean.x(), mean.high()));
        }
      }
      series.add(
          new Series(
              new Label(family, "", series.size()), Style.SOLID, true, bars, seeds, "{x}: {y}"));
    }
    String label = tasks.get(0).get(0).mean.label();
    return new Chart(
        "smallest-chunk-" + fileName(label),
        "Accuracy beyond the training length with the smallest chunk, %s".formatted(label),
        "a bar: the mean over seeds; markers: the worst and the best seed",
        new Axis(
            IntStream.range(0, tasks.size())
                .mapToObj(t -> "%s %s".formatted(t + 1, tasks.get(t).get(0).mean.task()))
                .collect(Collectors.joining(", ", "task: ", "")),
            Scale.LINEAR,
            Format.COUNT,
            List.of(1.0, tasks.size() + GROUP),
            IntStream.rangeClosed(1, tasks.size()).mapToObj(t -> (double) t).toList(),
            List.of()),
        Axis.ofShares("share of right labels"),
        series);
  }

  private static List<Point> bar(double left, double right, double y, String task) {
    return List.of(
        new Point(left, 0, 0, 0, task),
        new Point(left, y, 0, y, task),
        new Point(right, y, 0, y, task),
        new Point(right, 0, 0, 0, task));
  }

  private static String fileName(String label) {
    return label.replaceAll("[^A-Za-z0-9.]+", "-");
  }

  private static Optional<Run> run(AccuracyMean mean, List<TrainedRun> trained) {
    return trained.stream()
        .filter(one -> one.run().equals(mean.run()))
        .findFirst()
        .map(one -> run(mean, one.description().path("model")));
  }

  private static Run run(AccuracyMean mean, JsonNode model) {
    String scheme = model.path("position").path("scheme").asText();
    String recurrence = model.path("recurrence").path("kind").asText("none");
    if (!recurrence.equals("none")) {
      return new Run(recurrence, chunk(model.path("recurrence")), mean);
    }
    if (scheme.equals("regulargpt")) {
      return new Run("RegularGPT", chunk(model.path("position")), mean);
    }
    return new Run(StringModel.of(model).heading(), OptionalInt.empty(), mean);
  }

  private static OptionalInt chunk(JsonNode settings) {
    return OptionalInt.of(settings.path("chunk").asInt());
  }

  private static Chart chart(List<Run> runs) {
    List<Integer> chunks = chunks(runs);
    AccuracyMean any = runs.get(0).mean;
    List<Series> series = new ArrayList<>();
    runs.stream()
        .collect(Groups.by(Run::family))
        .forEach((family, own) -> series.add(series(family, own, chunks, series.size())));
    return new Chart(
        "chunks-%s-%s".formatted(any.task(), fileName(any.label())),
        "Accuracy beyond the training length by chunk, %s, %s".formatted(any.task(), any.label()),
        "bars and bands: from the worst seed to the best",
        new Axis(
            "chunk C",
            Scale.DOUBLINGS,
            Format.COUNT,
            List.of(),
            chunks.stream().map(Integer::doubleValue).toList(),
            List.of()),
        Axis.ofShares(
            "share of right labels",
            any.constant().stream()
                .map(known -> new Axis.Mark(known.mean(), "constant answer"))
                .toArray(Axis.Mark[]::new)),
        series);
  }

  /** The mean over runs, such as those of several rates, from the worst seed to the best. */
  private static Point mean(List<Run> runs, double x) {
    List<Point> points = runs.stream().map(run -> run.at(x)).toList();
    return new Point(
        x,
        points.stream().mapToDouble(Point::y).average().orElseThrow(),
        points.stream().mapToDouble(Point::low).min().orElseThrow(),
        points.stream().mapToDouble(Point::high).max().orElseThrow());
  }

  /** Several runs of one family and chunk, such as several rates, are points one over the other. */
  private static Series series(String family, List<Run> runs, List<Integer> chunks, int look) {
    boolean isLevel = runs.get(0).chunk.isEmpty();
    List<Point> points =
        isLevel
            ? chunks.stream().map(chunk -> mean(runs, chunk)).toList()
            : runs.stream()
                .map(run -> run.at(run.chunk.orElseThrow()))
                .sorted(Comparator.comparingDouble(Point::x))
                .toList();
    return new Series(
        new Label(family, "", look),
        isLevel ? Style.PALE : Style.BARS,
        points,
        "C = {x}: {y}|, seeds {low} to {high}");
  }
}
