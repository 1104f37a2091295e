package org.lengthwise.eval.report;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * Effective receptive fields in tokens, by length (rows, trained and untrained) and run (columns),
 * averaged over seeds.
 */
final class ReceptiveFieldTable {
  private final List<ReceptiveFieldResult> results;
  private final List<String> runs;

  private ReceptiveFieldTable(List<ReceptiveFieldResult> results) {
    this.results = List.copyOf(results);
    this.runs =
        results.stream()
            .map(ReceptiveFieldResult::run)
            .distinct()
            .sorted(RunName.paperFirst())
            .toList();
  }

  /** Spells the table out. */
  static TableText of(List<ReceptiveFieldResult> results) {
    return new ReceptiveFieldTable(results).text();
  }

  private TableText text() {
    List<Integer> lengths =
        results.stream().map(ReceptiveFieldResult::length).distinct().sorted().toList();
    return new TableText(
        "Effective receptive field in tokens",
        Stream.concat(Stream.of("T_ex"), runs.stream().map(RunName::heading)).toList(),
        lengths.stream()
            .flatMap(
                length ->
                    Stream.of(
                        row(length, "", ReceptiveFieldResult::trained),
                        row(length, ", untrained", ReceptiveFieldResult::untrained)))
            .toList(),
        List.of(
            TableText.line("seeds", runs.stream().map(run -> Long.toString(seeds(run))).toList())),
        List.of(
            "How many of the most recent tokens hold "
                + Math.round(100 * CumulativeGradient.THRESHOLD)
                + " % of the last position's gradient, mean over seeds, each averaged over "
                + chunks()
                + " chunks."));
  }

  private List<TableText.Entry> row(
      int length, String suffix, Function<ReceptiveFieldResult, CumulativeGradient> curve) {
    return TableText.line(
        length + suffix, runs.stream().map(run -> mean(run, length, curve)).toList());
  }

  private String mean(
      String run, int length, Function<ReceptiveFieldResult, CumulativeGradient> curve) {
    OptionalDouble mean =
        results.stream()
            .filter(result -> result.run().equals(run) && result.length() == length)
            .mapToInt(result -> curve.apply(result).effective())
            .average();
    return mean.isPresent() ? Numbers.count(Math.round(mean.getAsDouble())) : Numbers.MISSING;
  }

  private long seeds(String run) {
    return results.stream()
        .filter(result -> result.run().equals(run))
        .map(ReceptiveFieldResult::seed)
        .distinct()
        .count();
  }

  private String chunks() {
    List<Integer> samples =
        results.stream()
            .map(ReceptiveFieldResult::samples)
            .distinct()
            .sorted(Comparator.naturalOrder())
            .toList();
    return samples.size() == 1
        ? Numbers.count(samples.get(0))
        : Numbers.count(samples.get(0)) + "–" + Numbers.count(samples.get(samples.size() - 1));
  }
}
