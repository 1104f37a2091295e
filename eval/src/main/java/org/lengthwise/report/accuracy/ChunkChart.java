package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
 * over seeds, and bars from the worst seed to the best. A model without chunks is a level line.
 *
 * <p>Source: Figures 4 and 5 of Soulos et al., "Recurrent Transformers Trade-off Parallelism for
 * Length Generalization on Regular Languages", 2024.
 */
final class ChunkChart {
  private ChunkChart() {}

  /** A run with its chunk; a model without chunks has none. */
  private record Run(String family, OptionalInt chunk, AccuracyMean mean) {
    Point at(int x) {
      List<AccuracyMean> seeds = mean.bySeed();
      return new Point(
          x,
          mean.mean(),
          seeds.stream().mapToDouble(AccuracyMean::mean).min().orElseThrow(),
          seeds.stream().mapToDouble(AccuracyMean::mean).max().orElseThrow());
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
    return tasks.values().stream().flatMap(runs -> chart(runs).stream()).toList();
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

  private static Optional<Chart> chart(List<Run> runs) {
    List<Integer> chunks =
        runs.stream().flatMap(run -> run.chunk.stream().boxed()).distinct().sorted().toList();
    if (chunks.size() < 2) {
      return Optional.empty();
    }
    AccuracyMean any = runs.get(0).mean;
    List<Series> series = new ArrayList<>();
    runs.stream()
        .collect(Groups.by(Run::family))
        .forEach((family, own) -> series.add(series(family, own, chunks, series.size())));
    return Optional.of(
        new Chart(
            "chunks-%s-%s".formatted(any.task(), any.label().replaceAll("[^A-Za-z0-9.]+", "-")),
            "Accuracy beyond the training length by chunk, %s, %s"
                .formatted(any.task(), any.label()),
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
            series));
  }

  /** Several runs of one family and chunk, such as several rates, are points one over the other. */
  private static Series series(String family, List<Run> runs, List<Integer> chunks, int look) {
    boolean isLevel = runs.get(0).chunk.isEmpty();
    List<Point> points =
        isLevel
            ? chunks.stream().map(chunk -> runs.get(0).at(chunk)).toList()
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
