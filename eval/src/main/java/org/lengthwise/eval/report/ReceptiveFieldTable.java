package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.CumulativeGradient.EffectiveField;
import org.lengthwise.eval.result.ModelState;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * Effective receptive fields in tokens with their intervals, beside the theoretical ones: a table
 * for each length with a row for each run, and every number of every seed as CSV.
 */
final class ReceptiveFieldTable {
  private static final String CSV_HEADER =
      "run,scheme,seed,length,samples,weights,share,tokens,low,high,theoretical";

  private ReceptiveFieldTable() {}

  /** One table for each length, the shortest first. */
  static List<TableText> of(List<ReceptiveFieldResult> results) {
    return ReceptiveFieldMean.of(results).stream()
        .collect(Collectors.groupingBy(ReceptiveFieldMean::length))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .map(atLength -> table(atLength.getKey(), atLength.getValue()))
        .toList();
  }

  /** Every effective receptive field of every result, a line each. */
  static String csv(List<ReceptiveFieldResult> results) {
    return Stream.concat(
            Stream.of(CSV_HEADER),
            ReceptiveFieldMean.of(results).stream()
                .flatMap(mean -> mean.seeds().stream())
                .flatMap(ReceptiveFieldTable::lines))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static Stream<String> lines(ReceptiveFieldResult result) {
    return Stream.of(ModelState.values())
        .flatMap(
            state ->
                result.curve(state).effective().stream().map(field -> line(result, state, field)));
  }

  private static String line(ReceptiveFieldResult result, ModelState state, EffectiveField field) {
    return Stream.of(
            result.run(),
            result.scheme(),
            result.seed(),
            result.length(),
            result.samples(),
            state.label(),
            field.share(),
            field.tokens(),
            field.low(),
            field.high(),
            result.theoretical())
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }

  private static TableText table(int length, List<ReceptiveFieldMean> means) {
    List<String> header = new ArrayList<>(List.of("scheme"));
    CumulativeGradient.SHARES.forEach(share -> header.add(percent(share)));
    CumulativeGradient.SHARES.forEach(share -> header.add(percent(share) + ", untrained"));
    header.addAll(List.of("theoretical", "seeds"));
    return new TableText(
        "Effective receptive field over " + Numbers.count(length) + " tokens",
        header,
        means.stream().map(ReceptiveFieldTable::row).toList(),
        List.of(),
        List.of(
            "How many of the most recent tokens hold a share of the last position's gradient, with"
                + " its 95 % interval over "
                + chunks(means)
                + " chunks; both averaged over seeds. Theoretical: what attention can reach at"
                + " all."));
  }

  private static List<TableText.Entry> row(ReceptiveFieldMean mean) {
    List<String> cells = new ArrayList<>();
    for (ModelState state : ModelState.values()) {
      CumulativeGradient.SHARES.forEach(share -> cells.add(cell(mean.effective(state, share))));
    }
    cells.add(Numbers.count(mean.theoretical()));
    cells.add(Integer.toString(mean.seeds().size()));
    return TableText.line(RunName.heading(mean.run()), cells);
  }

  private static String cell(double[] field) {
    return "%s (%s–%s)"
        .formatted(
            Numbers.count(Math.round(field[0])),
            Numbers.count(Math.round(field[1])),
            Numbers.count(Math.round(field[2])));
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private static String chunks(List<ReceptiveFieldMean> means) {
    List<Integer> samples =
        means.stream()
            .flatMap(mean -> mean.seeds().stream())
            .map(ReceptiveFieldResult::samples)
            .distinct()
            .sorted()
            .toList();
    String fewest = Numbers.count(samples.get(0));
    return samples.size() == 1
        ? fewest
        : fewest + "–" + Numbers.count(samples.get(samples.size() - 1));
  }
}
