package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.perplexity.TableStatistics.Difference;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.statistics.Estimate;

/**
 * The runs against n-gram baselines on the same targets. A run beats a baseline if the whole
 * interval of the paired difference is below zero.
 */
final class BaselineTable {
  private final TableStatistics statistics;
  private final List<EvaluationResult> results;

  BaselineTable(TableStatistics statistics, List<EvaluationResult> results) {
    this.statistics = statistics;
    this.results = results;
  }

  /** The differences by baseline and run (rows) and length; empty if there are none. */
  Optional<TableText> text() {
    record Row(Column run, Column baseline, Map<Integer, Estimate> gaps) {}
    List<Row> rows = new ArrayList<>();
    for (Column baseline : statistics.table().baselines()) {
      byRun(baseline).forEach((run, gaps) -> rows.add(new Row(run, baseline, gaps)));
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Columns<Row> columns =
        new Columns<Row>()
            .words("run", row -> row.run.heading())
            .words("baseline", row -> row.baseline.heading());
    for (int length : statistics.table().lengths()) {
      columns.number("T_ex = " + length, row -> Entry.orMissing(row.gaps.get(length)));
    }
    List<String> caption = new ArrayList<>(sentences());
    caption.add(
        "Mean over target tokens and seeds, in nats: the negative log-likelihood of the run minus"
            + " that of the baseline for the same token, with its interval. A run beats a baseline"
            + " if the whole interval is below zero. An n-gram model reads only the last n − 1"
            + " tokens.");
    caption.add(counted());
    return Optional.of(
        columns.of(
            "Runs against n-gram baselines, " + statistics.table().protocol().label() + " protocol",
            rows,
            caption));
  }

  /** For each baseline the runs that do not beat it at their training length. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    for (Column baseline : statistics.table().baselines()) {
      Map<Column, Estimate> atTrainLength = new LinkedHashMap<>();
      byRun(baseline)
          .forEach(
              (run, gaps) ->
                  Optional.ofNullable(gaps.get(run.trainLength()))
                      .ifPresent(gap -> atTrainLength.put(run, gap)));
      if (!atTrainLength.isEmpty()) {
        sentences.add(sentence(baseline, atTrainLength));
      }
    }
    return sentences;
  }

  private static String sentence(Column baseline, Map<Column, Estimate> gaps) {
    List<String> worse =
        gaps.entrySet().stream()
            .filter(gap -> gap.getValue().interval().high() >= 0)
            .map(gap -> gap.getKey().heading())
            .toList();
    return worse.isEmpty()
        ? "At T_tr, every run beats the baseline %s.".formatted(baseline.heading())
        : worse.size() == gaps.size()
            ? "At T_tr, no run beats the baseline %s.".formatted(baseline.heading())
            : "At T_tr, these runs do not beat the baseline %s: %s."
                .formatted(baseline.heading(), String.join(", ", worse));
  }

  private Map<Column, Map<Integer, Estimate>> byRun(Column baseline) {
    return statistics.gaps().stream()
        .filter(gap -> gap.second().equals(baseline))
        .collect(
            Collectors.groupingBy(
                Difference::first,
                LinkedHashMap::new,
                Collectors.toMap(Difference::length, Difference::nll)));
  }

  private String counted() {
    return statistics.table().baselines().stream()
        .map(
            baseline ->
                baseline.heading()
                    + " counts "
                    + results.stream()
                        .filter(result -> result.run().equals(baseline.run()))
                        .map(result -> result.subject().path())
                        .findFirst()
                        .orElse(Numbers.MISSING))
        .collect(Collectors.joining("; ", "", "."));
  }
}
