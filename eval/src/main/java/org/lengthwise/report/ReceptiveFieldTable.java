package org.lengthwise.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.CumulativeGradient.EffectiveField;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ReceptiveFieldResult;

/**
 * Effective receptive fields in tokens with their intervals, and theoretical ones. There is a table
 * for each length with a row for each run, and a CSV file with all numbers of all seeds.
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

  /** A line for each effective receptive field of each result. */
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
            result.subject().scheme(),
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
            "The number of most recent tokens that hold a share of the gradient of the last position,"
                + " with its 95 % interval over "
                + samples(means)
                + " samples. Both are averaged over seeds. Theoretical: the number of tokens that"
                + " attention can reach."));
  }

  private static List<TableText.Entry> row(ReceptiveFieldMean mean) {
    List<TableText.Entry> cells = new ArrayList<>();
    for (ModelState state : ModelState.values()) {
      CumulativeGradient.SHARES.forEach(share -> cells.add(cell(mean.effective(state, share))));
    }
    cells.add(TableText.Entry.of(Numbers.count(mean.theoretical())));
    cells.add(TableText.Entry.of(Integer.toString(mean.seeds().size())));
    return TableText.line(RunName.heading(mean.run()), cells.toArray(TableText.Entry[]::new));
  }

  private static TableText.Entry cell(double[] field) {
    return new TableText.Entry(
        Numbers.count(Math.round(field[0])),
        "(%s–%s)"
            .formatted(Numbers.count(Math.round(field[1])), Numbers.count(Math.round(field[2]))),
        "");
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private static String samples(List<ReceptiveFieldMean> means) {
    return Numbers.range(
        means.stream()
            .flatMap(mean -> mean.seeds().stream())
            .map(ReceptiveFieldResult::samples)
            .distinct()
            .sorted()
            .toList());
  }
}
