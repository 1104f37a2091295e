package org.lengthwise.report.accuracy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.training.LossCurve;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Baseline;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.statistics.AccuracyRule;

/** Invented accuracies of 1,000 strings a length, after training at 40. */
class StringTablesTest {
  private static final String TREE = regularGpt("pad");
  private static final String TRANSFORMER =
      "{\"layers\":5,\"position\":{\"scheme\":\"transformer-xl\"},\"form\":{\"causal\":false}}";

  private final List<AccuracyResult> results = new ArrayList<>();
  private final List<TrainedRun> trained = new ArrayList<>();

  private static String regularGpt(String edge) {
    return "{\"layers\":1,\"position\":{\"scheme\":\"regulargpt\",\"chunk\":2,\"edge\":\"%s\"}}"
        .formatted(edge);
  }

  private void add(String run, String task, long seed, double p, int length, long errors) {
    EvaluatedCheckpoint checkpoint =
        new EvaluatedCheckpoint(
            run, "regulargpt", seed, "runs", 10, 40, new EvaluatedCheckpoint.Model(task, 1, 64));
    boolean hasRule = task.equals("d_2");
    List<Baseline> known = new ArrayList<>();
    known.add(new Baseline("label 0", true, List.of(hasRule ? 745L : 500L)));
    known.add(new Baseline("label 1", true, List.of(hasRule ? 255L : 500L)));
    if (hasRule) {
      known.add(new Baseline("a rule", false, List.of(1000L)));
    }
    Strings strings =
        new Strings(
            task,
            JsonNodeFactory.instance.objectNode().put("negatives", "uniform").put("p", p),
            Drawn.TEST,
            length,
            1000,
            7L);
    results.add(
        AccuracyResult.of(
                AccuracyResult.LABELS,
                checkpoint,
                strings,
                new Share("strings", 1000 - errors, 1000))
            .with(known));
  }

  private void train(String run, long seed, String model, double loss) {
    try {
      trained.add(
          new TrainedRun(
              run,
              seed,
              new ObjectMapper().readTree("{\"model\":" + model + "}"),
              Optional.empty(),
              OptionalDouble.empty(),
              Double.NaN,
              Double.NaN,
              new LossCurve(List.of(1.0, 2.0), List.of(0.7, loss)),
              new LossCurve(List.of(), List.of())));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private StringTables tables() {
    return new StringTables(AccuracyMean.of(results), trained, new AccuracyRule(99.95, 2.5));
  }

  private String first() {
    return MarkdownTable.of(tables().first().stream().toList());
  }

  @Test
  void recurrencesOfDifferentChunksAreDifferentModels() {
    for (int chunk : new int[] {1, 8}) {
      add("staircase-" + chunk, "parity_check", 1, 0.5, 41, 1000 - 100 * chunk);
      train(
          "staircase-" + chunk,
          1,
          "{\"position\":{\"scheme\":\"none\"},"
              + "\"recurrence\":{\"kind\":\"staircase\",\"chunk\":%s,\"passes\":2}}"
                  .formatted(chunk),
          0.1);
    }
    assertThat(tables().first().orElseThrow().rows())
        .extracting(row -> row.get(2).text())
        .containsExactly(
            "No position, causal, staircase, chunk 1, passes 2",
            "No position, causal, staircase, chunk 8, passes 2");
  }

  @Test
  void chartByChunkHasTheRangeOfSeedsAndLevelLinesOfModelsWithoutChunks() {
    for (int chunk : new int[] {4, 1}) {
      for (long seed = 1; seed <= 2; seed++) {
        add("staircase-" + chunk, "parity_check", seed, 0.5, 500, 125L * chunk * seed);
      }
      add("staircase-" + chunk, "parity_check", 1, 0.5, 40, 0); // a trained length
      String recurrence = "{\"kind\":\"staircase\",\"chunk\":%s}".formatted(chunk);
      train("staircase-" + chunk, 1, "{\"recurrence\":" + recurrence + "}", 0.1);
    }
    assertThat(ChunkChart.of(AccuracyMean.of(results.subList(0, 3)), trained)).isEmpty();
    add("network", "parity_check", 1, 0.5, 500, 0);
    train("network", 1, "{\"kind\":\"lstm\"}", 0.1);
    List<Series> series = ChunkChart.of(AccuracyMean.of(results), trained).get(0).series();
    assertThat(series).extracting(one -> one.label().name()).containsExactly("staircase", "LSTM");
    assertThat(series.get(0).points())
        .containsExactly(new Point(1, 0.8125, 0.75, 0.875), new Point(4, 0.25, 0, 0.5));
    assertThat(series.get(1).points())
        .containsExactly(new Point(1, 1, 1, 1), new Point(4, 1, 1, 1));
  }

  @Test
  void barsShowTheMeanOfTheSmallestChunkByTask() {
    for (int chunk : new int[] {4, 1}) {
      for (String task : List.of("parity_check", "even_pairs")) {
        for (long seed = 1; seed <= 2; seed++) {
          add("staircase-" + chunk, task, seed, 0.5, 500, 100L * chunk * seed);
        }
      }
      String recurrence = "{\"kind\":\"staircase\",\"chunk\":%s}".formatted(chunk);
      train("staircase-" + chunk, 1, "{\"recurrence\":" + recurrence + "}", 0.1);
    }
    List<Chart> charts = ChunkChart.of(AccuracyMean.of(results), trained);
    assertThat(charts)
        .extracting(Chart::name)
        .containsExactlyInAnyOrder(
            "chunks-even_pairs-uniform", "chunks-parity_check-uniform", "smallest-chunk-uniform");
    Chart bars = charts.get(2);
    assertThat(bars.x().title()).startsWith("task: 1 ").contains("even_pairs", "parity_check");
    assertThat(bars.series().get(0).points())
        .extracting(point -> Math.round(100 * point.y()))
        .containsExactly(0L, 85L, 85L, 0L, 0L, 85L, 85L, 0L);
    assertThat(bars.series().get(0).symbols())
        .extracting(Point::y)
        .containsExactly(0.8, 0.9, 0.8, 0.9);
  }

  @Test
  void maxIsTheBestRowAndAvgTheRunWithTheLowestTrainingLoss() {
    for (long seed = 1; seed <= 3; seed++) {
      train("parity-slow", seed, TREE, 0.1);
      train("parity-fast", seed, TREE, 0.2 * seed);
      for (int length : new int[] {41, 500}) {
        add("parity-slow", "parity_check", seed, 0.5, length, 100 * seed);
        add("parity-fast", "parity_check", seed, 0.5, length, seed == 2 ? 0 : 400);
      }
      add("parity-fast", "parity_check", seed, 0.5, 40, 1000);
    }
    assertThat(first())
        .contains(
            "| parity_check | uniform | RegularGPT C = 2 | 41–500 (2) | 6 |"
                + " 100.00 / 80.00 [100.0 / 100.0] | 76.67 | 0 of 2,000 | 50.00 | – |"
                + " solved; as in the paper |");
  }

  @Test
  void avgIsMissingIfTheRunCannotBeChosen() {
    add("one", "parity_check", 1, 0.5, 500, 400);
    add("two", "parity_check", 1, 0.5, 500, 300);
    assertThat(first())
        .contains("| one | 500 | 1 | 60.00 / 60.00 |", "| two | 500 | 1 | 70.00 / 70.00 |");
    train("one", 1, TREE, 0.1);
    train("two", 1, TREE, 0.2);
    trained.set(
        1,
        new TrainedRun(
            "two",
            1,
            trained.get(1).description(),
            Optional.empty(),
            OptionalDouble.empty(),
            Double.NaN,
            Double.NaN,
            new LossCurve(List.of(), List.of()),
            new LossCurve(List.of(), List.of())));
    assertThat(first()).contains("| RegularGPT C = 2 | 500 | 2 | 70.00 / – [100.0 / 100.0] |");
  }

  @Test
  void verdictsCompareWithTheConstantAnswerTheRulesAndThePaper() {
    train("tree", 1, TREE, 0.1);
    train("absent", 1, regularGpt("absent"), 0.1);
    train("transformer", 1, TRANSFORMER, 0.1);
    train("one-layer", 1, "{\"kind\":\"rnn\",\"position\":{\"scheme\":\"none\"}}", 0.1);
    add("one-layer", "tomita_6", 1, 0.5, 500, 0);
    add("transformer", "parity_check", 1, 0.5, 500, 480);
    add("transformer", "cycle_navigation", 1, 0.5, 500, 10);
    add("transformer", "tomita_5", 1, 0.5, 100, 300); // the paper's constant answer is 74.49
    add("tree", "d_2", 1, 0.5, 100, 0);
    add("absent", "d_2", 1, 0.5, 100, 150);
    assertThat(first())
        .contains(
            "| cycle_navigation | uniform | Transformer | 500 | 1 | 99.00 / 99.00 [21.7 / 20.6] |",
            " | in part; in the paper: no better than a constant answer |",
            "| parity_check | uniform | Transformer | 500 | 1 | 52.00 / 52.00 [52.3 / 50.1] |",
            " | no better than a constant answer; as in the paper |",
            "| tomita_5 | uniform | Transformer | 100 | 1 | 70.00 / 70.00 [74.5 / 74.5] | 70.00 |"
                + " 300 of 1,000 | 50.00 | – | in part; in the paper: no better than a constant"
                + " answer |",
            "| d_2 | uniform | RegularGPT C = 2 | 100 | 1 | 100.00 / 100.00 [100.0 / 100.0] |",
            " | 100.00: a rule | solved, but a rule is as good; as in the paper |",
            "| tomita_6 | uniform | RNN | 500 | 1 | 100.00 / 100.00 [100.0 / 100.0] |",
            "| d_2 | uniform | RegularGPT C = 2, no pad | 100 | 1 | 85.00 / 85.00 |",
            " | in part, but a rule is as good |");
  }

  @Test
  void secondTableHasOtherProbabilitiesAtTrainingLengthsAndBeyond() {
    train("tree", 1, TREE, 0.1);
    train("transformer", 1, TRANSFORMER, 0.1);
    assertThat(tables().second()).isEmpty();
    for (double p : new double[] {0.1, 0.5}) {
      add("tree", "parity_check", 1, p, 40, 0);
      add("tree", "parity_check", 1, p, 500, 1);
      add("transformer", "parity_check", 1, p, 40, p < 0.5 ? 20 : 3);
      add("transformer", "parity_check", 1, p, 500, 500);
    }
    assertThat(MarkdownTable.of(tables().second().stream().toList()))
        .contains(
            "| model | lengths | rows | p = 0.1 | p = 0.5 |",
            "| RegularGPT C = 2 | 40 | 1 | 100.00 [100.0] | 100.00 [100.0] |",
            "| Transformer | 40 | 1 | 98.00 [98.4] | 99.70 [99.6] |",
            "| RegularGPT C = 2 | 500 | 1 | 99.90 [100.0] | 99.90 [100.0] |",
            "| Transformer | 500 | 1 | 50.00 [50.1] | 50.00 [50.3] |");
  }

  @Test
  void thePapersTablesAreComplete() {
    PaperStrings paper = PaperStrings.load();
    double sum = 0;
    for (String task :
        List.of(
            "even_pairs",
            "modular_arithmetic",
            "parity_check",
            "cycle_navigation",
            "d_2",
            "d_3",
            "d_4",
            "d_12",
            "tomita_3",
            "tomita_4",
            "tomita_5",
            "tomita_6")) {
      for (String model : List.of("rnn", "transformer", "regulargpt-2", "regulargpt-3")) {
        PaperStrings.Score score = paper.score(task, new StringModel(model, "")).orElseThrow();
        assertThat(score.average()).isBetween(20.0, score.max());
        sum += score.max() + score.average();
      }
    }
    assertThat(sum).as("checksum").isCloseTo(8571.7, within(1e-6));
  }
}
