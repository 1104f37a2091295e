package org.lengthwise.report.receptivefield;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
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

  /** One table for each length, the shortest first. Tasks on strings have their own tables. */
  static List<TableText> of(List<ReceptiveFieldResult> results) {
    return ReceptiveFieldMean.of(results).stream()
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::group, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(group -> table(group.getKey(), group.getValue()))
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

  /** For each task on strings and length: how the gradient spreads over a string. */
  static List<TableText> tenths(List<ReceptiveFieldResult> results) {
    return ReceptiveFieldMean.of(results).stream()
        .filter(mean -> mean.task().isPresent())
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::group, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(group -> tenths(group.getKey(), group.getValue()))
        .toList();
  }

  private static TableText tenths(ReceptiveFieldMean.Group group, List<ReceptiveFieldMean> means) {
    List<String> header = new ArrayList<>(List.of("run", "weights"));
    IntStream.rangeClosed(1, CumulativeGradient.NUM_TENTHS)
        .forEach(tenth -> header.add(Integer.toString(tenth)));
    return new TableText(
        "Share of each tenth of %s".formatted(group.words()),
        header,
        means.stream()
            .flatMap(mean -> Stream.of(ModelState.values()).map(state -> tenths(mean, state)))
            .toList(),
        List.of(),
        List.of(
            "The share of the gradient in per cent, the earliest tenth first, the mean over samples"
                + " and seeds. Compare a trained model with the same model before training."),
        "ll" + "r".repeat(CumulativeGradient.NUM_TENTHS));
  }

  private static List<TableText.Entry> tenths(ReceptiveFieldMean mean, ModelState state) {
    return TableText.line(
        RunName.heading(mean.run()),
        Stream.concat(
                Stream.of(state.label()),
                mean.tenths(state).stream().map(share -> Numbers.of("%.1f", 100 * share)))
            .toList());
  }

  private static TableText table(ReceptiveFieldMean.Group group, List<ReceptiveFieldMean> means) {
    List<String> header = new ArrayList<>(List.of("scheme"));
    CumulativeGradient.SHARES.forEach(share -> header.add(percent(share)));
    CumulativeGradient.SHARES.forEach(share -> header.add(percent(share) + ", untrained"));
    header.addAll(List.of("theoretical", "seeds"));
    return new TableText(
        "Effective receptive field over " + group.words(),
        header,
        means.stream().map(ReceptiveFieldTable::row).toList(),
        List.of(),
        List.of(
            "The number of most recent tokens that hold a share of the gradient of the last"
                + " position, with its 95 % interval over "
                + samples(means)
                + " samples. Both are averaged over seeds. Theoretical: the number of tokens that"
                + " attention can reach."),
        "r".repeat(header.size()));
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
