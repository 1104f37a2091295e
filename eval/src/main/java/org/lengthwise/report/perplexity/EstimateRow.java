package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.statistics.Estimate;

/**
 * A mean in {@code report.json}, or a paired difference between two runs or two lengths.
 *
 * @param kind {@code mean}, {@code change} (since T_tr), {@code length-change} (since the next
 *     shorter length), or {@code difference} (between two runs, or a run and a baseline)
 * @param length T_ex
 * @param minusRun the subtracted run, empty for a mean
 * @param minusLength the length of the subtracted run, 0 for a mean
 */
public record EstimateRow(
    String protocol,
    String kind,
    String run,
    int length,
    String minusRun,
    int minusLength,
    Estimate nll) {
  static Stream<EstimateRow> of(TableStatistics statistics) {
    String protocol = statistics.table().protocol().label();
    List<EstimateRow> rows = new ArrayList<>();
    statistics
        .means()
        .forEach(
            (column, means) ->
                means.forEach(
                    (at, nll) ->
                        rows.add(new EstimateRow(protocol, "mean", column.run(), at, "", 0, nll))));
    statistics
        .changes()
        .forEach(
            (column, changes) -> {
              String run = column.run();
              int since = column.trainLength();
              changes.forEach(
                  (at, nll) ->
                      rows.add(new EstimateRow(protocol, "change", run, at, run, since, nll)));
            });
    for (TableStatistics.LengthChange one : statistics.lengthChanges()) {
      String run = one.run().run();
      rows.add(
          new EstimateRow(protocol, "length-change", run, one.to(), run, one.from(), one.nll()));
    }
    for (TableStatistics.Difference pair : statistics.allDifferences()) {
      String first = pair.first().run();
      String second = pair.second().run();
      int at = pair.length();
      rows.add(new EstimateRow(protocol, "difference", first, at, second, at, pair.nll()));
    }
    return rows.stream();
  }
}
