package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.lengthwise.positional.Reach;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.statistics.RisePlace;

/**
 * Whether the largest changes of RegularGPT runs lie at the lengths where a level is new. A run and
 * seed takes part if it has results on the same targets at three lengths from T_tr on, and a level
 * is new at some of the longer ones, but not at each of them.
 */
final class RisePlaceTable {
  /** The place of the rises of one run and seed, with the lengths after each change. */
  private record Row(Column run, long seed, List<Integer> lengths, RisePlace place) {
    String at(Collection<Integer> changes) {
      return changes.stream()
          .sorted()
          .map(i -> Numbers.count(lengths.get(i)))
          .collect(Collectors.joining(", "));
    }
  }

  private RisePlaceTable() {}

  static Optional<TableText> of(
      PerplexityTable table, List<EvaluationResult> results, List<TrainedRun> trained) {
    Map<Column, List<Row>> rows =
        table.columns().stream()
            .flatMap(
                column ->
                    reach(column.run(), trained).stream()
                        .flatMap(reach -> rows(table, column, reach, results).stream()))
            .collect(Groups.by(Row::run));
    return rows.isEmpty() ? Optional.empty() : Optional.of(text(table, rows));
  }

  /** Without the folder of a run, the chunk in its name decides. */
  private static Optional<Reach> reach(String run, List<TrainedRun> trained) {
    return TrainedRun.reach(run, trained)
        .or(
            () ->
                RunName.chunk(run).stream()
                    .filter(chunk -> chunk > 1)
                    .<Reach>mapToObj(RegularGpt::new)
                    .findFirst());
  }

  private static List<Row> rows(
      PerplexityTable table, Column column, Reach reach, List<EvaluationResult> results) {
    return results.stream()
        .filter(result -> result.protocol() == table.protocol())
        .filter(result -> result.run().equals(column.run()))
        .filter(result -> result.length() >= column.trainLength())
        .collect(Collectors.groupingBy(EvaluationResult::seed, TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .flatMap(byLength -> row(column, byLength, reach).stream())
        .toList();
  }

  /** The changes between the results of one seed, which rise in length. */
  private static Optional<Row> row(Column run, List<EvaluationResult> byLength, Reach reach) {
    boolean paired = byLength.stream().map(EvaluationResult::targetsSha256).distinct().count() == 1;
    List<Double> changes = new ArrayList<>();
    Set<Integer> predicted = new TreeSet<>();
    for (int i = 1; i < byLength.size(); i++) {
      EvaluationResult before = byLength.get(i - 1);
      EvaluationResult after = byLength.get(i);
      changes.add(after.sums().mean() - before.sums().mean());
      if (levels(reach, after) > levels(reach, before)) {
        predicted.add(i - 1);
      }
    }
    return !paired || predicted.isEmpty() || predicted.size() == changes.size()
        ? Optional.empty()
        : Optional.of(
            new Row(
                run,
                byLength.get(0).seed(),
                byLength.stream().skip(1).map(EvaluationResult::length).toList(),
                new RisePlace(changes, predicted)));
  }

  /** The model reads all tokens of a window but its last one. */
  private static int levels(Reach reach, EvaluationResult result) {
    return reach.levels(result.length() - 1L);
  }

  private static TableText text(PerplexityTable table, Map<Column, List<Row>> rows) {
    List<List<TableText.Entry>> lines = new ArrayList<>();
    rows.forEach(
        (column, ofRun) -> {
          ofRun.forEach(row -> lines.add(line(row)));
          if (ofRun.size() > 1) {
            lines.add(together(column.heading(), ofRun));
          }
        });
    List<Row> all = rows.values().stream().flatMap(List::stream).toList();
    return new TableText(
        "Place of the largest changes, " + table.protocol().label() + " protocol",
        List.of("run", "seed", "new level at", "largest at", "as predicted", "by chance"),
        lines,
        rows.size() > 1 ? List.of(together("all runs", all)) : List.of(),
        caption(),
        "lrrrlr");
  }

  private static List<TableText.Entry> line(Row row) {
    return TableText.line(
        row.run.heading(),
        List.of(
            Long.toString(row.seed()),
            row.at(row.place().predicted()),
            row.at(row.place().largest()),
            row.place().isAsPredicted() ? "yes" : "no",
            probability(row.place().chance())));
  }

  private static List<TableText.Entry> together(String name, List<Row> rows) {
    List<RisePlace> places = rows.stream().map(Row::place).toList();
    return TableText.line(
        name,
        List.of(
            "all",
            "",
            "",
            "%s of %s"
                .formatted(places.stream().filter(RisePlace::isAsPredicted).count(), places.size()),
            probability(RisePlace.chance(places))));
  }

  /** With three decimals, or with an exponent if it is small. */
  private static String probability(double value) {
    return Numbers.of(value < 0.001 ? "%.1e" : "%.3f", value);
  }

  private static List<String> caption() {
    return List.of(
        "RegularGPT is expected to rise at each length where its depth has a new level. The table"
            + " compares these lengths with the lengths of the largest changes between neighbouring"
            + " lengths. It takes as many largest changes as there are predicted lengths.",
        "By chance: the probability that the k largest of m changes are the predicted ones if every"
            + " order of the changes is equally likely, k! (m − k)! / m!. For all seeds: the"
            + " probability of at least this number of seeds, if seeds are independent. Seeds and"
            + " runs share the targets, so this probability is too small.");
  }
}
