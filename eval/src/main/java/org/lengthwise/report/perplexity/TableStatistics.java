package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lengthwise.result.Protocol;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.PositionBin;
import org.lengthwise.statistics.Scores;
import org.lengthwise.statistics.Verdict;

/**
 * The statistics of the individual values behind a table of perplexities. An entry is absent if
 * values are missing or cannot be paired.
 *
 * @param means the mean negative log-likelihood in nats, by run and length
 * @param changes its paired change since the training length in nats, by run and length
 * @param lengthChanges the paired change of each run from each length to the next, by run, then in
 *     ascending order
 * @param differences the paired differences of every two runs, by length, then in column order
 * @param gaps the paired differences of every run and every baseline, by length, then in column
 *     order
 * @param byPosition the mean negative log-likelihood at the longest length by run and position, for
 *     protocols that score whole windows
 */
record TableStatistics(
    PerplexityTable table,
    Map<Column, SortedMap<Integer, Estimate>> means,
    Map<Column, SortedMap<Integer, Estimate>> changes,
    List<LengthChange> lengthChanges,
    List<Difference> differences,
    List<Difference> gaps,
    Map<Column, Verdict> verdicts,
    Map<Column, SortedMap<PositionBin, Estimate>> byPosition) {

  /**
   * The paired difference of one run between a measured length and the next longer one.
   *
   * @param nll the mean negative log-likelihood at the longer length minus that at the shorter one,
   *     in nats
   */
  record LengthChange(Column run, int from, int to, Estimate nll) {}

  /**
   * The paired difference of two runs, or of a run and a baseline, at one length.
   *
   * @param second the other, or the baseline
   * @param nll the mean negative log-likelihood of the first minus that of the second, in nats
   */
  record Difference(int length, Column first, Column second, Estimate nll) {}

  static TableStatistics of(PerplexityTable table, IndividualScores scores, PerplexityRules rules) {
    Map<Column, SortedMap<Integer, Estimate>> means = new LinkedHashMap<>();
    Map<Column, SortedMap<Integer, Estimate>> changes = new LinkedHashMap<>();
    List<LengthChange> lengthChanges = new ArrayList<>();
    Map<Column, Verdict> verdicts = new LinkedHashMap<>();
    for (Column column : table.columns()) {
      SortedMap<Integer, Scores> byLength = byLength(table, column, scores);
      means.put(column, estimates(byLength, rules));
      if (column.isBaseline()) {
        continue; // so baselines have no verdict, and no word that is corrected for their number
      }
      SortedMap<Integer, Estimate> since =
          scores.scoresAlike(table.protocol())
              ? estimates(since(column.trainLength(), byLength), rules)
              : new TreeMap<>();
      changes.put(column, since);
      if (scores.scoresAlike(table.protocol())) {
        lengthChanges.addAll(lengthChanges(column, byLength, rules));
      }
      verdict(column, since, rules).ifPresent(verdict -> verdicts.put(column, verdict));
    }
    return new TableStatistics(
        table,
        means,
        changes,
        lengthChanges,
        differences(table, table.runs(), table.runs(), scores, rules),
        differences(table, table.runs(), table.baselines(), scores, rules),
        verdicts,
        byPosition(table, scores, rules));
  }

  private static SortedMap<Integer, Scores> byLength(
      PerplexityTable table, Column column, IndividualScores scores) {
    SortedMap<Integer, Scores> byLength = new TreeMap<>();
    for (int length : table.lengths()) {
      scores
          .of(column.run(), table.protocol(), length)
          .ifPresent(values -> byLength.put(length, values));
    }
    return byLength;
  }

  private static SortedMap<Integer, Scores> since(
      int trainLength, SortedMap<Integer, Scores> byLength) {
    SortedMap<Integer, Scores> since = new TreeMap<>();
    Optional.ofNullable(byLength.get(trainLength))
        .ifPresent(
            base ->
                byLength
                    .tailMap(trainLength + 1)
                    .forEach(
                        (length, values) ->
                            values.minus(base).ifPresent(change -> since.put(length, change))));
    return since;
  }

  private static List<LengthChange> lengthChanges(
      Column column, SortedMap<Integer, Scores> byLength, PerplexityRules rules) {
    List<LengthChange> lengthChanges = new ArrayList<>();
    List<Map.Entry<Integer, Scores>> lengths = List.copyOf(byLength.entrySet());
    for (int i = 1; i < lengths.size(); i++) {
      Map.Entry<Integer, Scores> from = lengths.get(i - 1);
      Map.Entry<Integer, Scores> to = lengths.get(i);
      to.getValue()
          .minus(from.getValue())
          .flatMap(rules.bootstrap()::estimate)
          .ifPresent(
              nll -> lengthChanges.add(new LengthChange(column, from.getKey(), to.getKey(), nll)));
    }
    return lengthChanges;
  }

  private static SortedMap<Integer, Estimate> estimates(
      SortedMap<Integer, Scores> byLength, PerplexityRules rules) {
    SortedMap<Integer, Estimate> estimates = new TreeMap<>();
    byLength.forEach(
        (length, values) ->
            rules
                .bootstrap()
                .estimate(values)
                .ifPresent(estimate -> estimates.put(length, estimate)));
    return estimates;
  }

  private static Optional<Verdict> verdict(
      Column column, SortedMap<Integer, Estimate> changes, PerplexityRules rules) {
    SortedMap<Integer, Interval> intervals = new TreeMap<>();
    changes.forEach((length, change) -> intervals.put(length, change.interval()));
    return intervals.isEmpty()
        ? Optional.empty()
        : Optional.of(rules.verdict().over(column.trainLength(), intervals));
  }

  /** The differences of pairs, each column of the first list before those of the second. */
  private static List<Difference> differences(
      PerplexityTable table,
      List<Column> firsts,
      List<Column> seconds,
      IndividualScores scores,
      PerplexityRules rules) {
    Protocol protocol = table.protocol();
    List<Difference> differences = new ArrayList<>();
    for (int length : table.lengths()) {
      for (Column first : firsts) {
        // The index is -1 if the lists are different, so the pairs are complete.
        for (Column second : seconds.subList(seconds.indexOf(first) + 1, seconds.size())) {
          scores
              .of(first.run(), protocol, length)
              .flatMap(
                  one ->
                      scores
                          .of(second.run(), protocol, length)
                          .flatMap(
                              other ->
                                  second.isBaseline()
                                      ? one.minusOfEachSeed(other)
                                      : one.minus(other)))
              .flatMap(rules.bootstrap()::estimate)
              .ifPresent(nll -> differences.add(new Difference(length, first, second, nll)));
        }
      }
    }
    return differences;
  }

  private static Map<Column, SortedMap<PositionBin, Estimate>> byPosition(
      PerplexityTable table, IndividualScores scores, PerplexityRules rules) {
    Map<Column, SortedMap<PositionBin, Estimate>> byPosition = new LinkedHashMap<>();
    int longest = table.lengths().get(table.lengths().size() - 1);
    for (Column column : table.columns()) {
      SortedMap<PositionBin, Estimate> bins =
          new TreeMap<>(Comparator.comparingInt(PositionBin::first));
      for (PositionBin bin : PositionBin.upTo(longest - 1)) {
        scores
            .at(column.run(), table.protocol(), bin)
            .flatMap(rules.bootstrap()::estimate)
            .ifPresent(mean -> bins.put(bin, mean));
      }
      if (!bins.isEmpty()) {
        byPosition.put(column, bins);
      }
    }
    return byPosition;
  }

  Optional<Estimate> mean(Column column, int length) {
    return Optional.ofNullable(means.getOrDefault(column, new TreeMap<>()).get(length));
  }

  SortedMap<Integer, Estimate> changesOf(Column column) {
    return changes.getOrDefault(column, new TreeMap<>());
  }

  /** The change of a run at the longest length that has one. Requires a run with a verdict. */
  Map.Entry<Integer, Estimate> longestChange(Column column) {
    return changesOf(column).entrySet().stream().reduce((shorter, longer) -> longer).orElseThrow();
  }

  Optional<Verdict> verdict(Column column) {
    return Optional.ofNullable(verdicts.get(column));
  }

  List<Difference> differencesAt(int length) {
    return differences.stream().filter(difference -> difference.length() == length).toList();
  }

  List<Difference> allDifferences() {
    return Stream.concat(differences.stream(), gaps.stream()).toList();
  }

  int longest() {
    return table.lengths().get(table.lengths().size() - 1);
  }
}
