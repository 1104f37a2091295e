package org.lengthwise.report.receptivefield;

import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Columns;
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
  private ReceptiveFieldTable() {}

  /** One table for each length, the shortest first. Tasks on strings have their own tables. */
  static List<TableText> of(List<ReceptiveFieldResult> results) {
    return byGroup(ReceptiveFieldMean.of(results).stream(), ReceptiveFieldTable::table);
  }

  private static List<TableText> byGroup(
      Stream<ReceptiveFieldMean> means,
      BiFunction<ReceptiveFieldMean.Group, List<ReceptiveFieldMean>, TableText> table) {
    return means
        .collect(
            Collectors.groupingBy(ReceptiveFieldMean::group, TreeMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(group -> table.apply(group.getKey(), group.getValue()))
        .toList();
  }

  static String csv(List<ReceptiveFieldResult> results) {
    record Line(ReceptiveFieldResult of, ModelState state, EffectiveField field) {}
    return new Columns<Line>()
        .words("run", line -> line.of.run())
        .words("scheme", line -> line.of.subject().scheme())
        .words("seed", line -> line.of.seed())
        .number("length", line -> line.of.length())
        .number("samples", line -> line.of.samples())
        .words("weights", line -> line.state.label())
        .number("share", line -> line.field.share())
        .number("tokens", line -> line.field.tokens())
        .number("low", line -> line.field.low())
        .number("high", line -> line.field.high())
        .number("theoretical", line -> line.of.theoretical())
        .csv(
            ReceptiveFieldMean.of(results).stream()
                .flatMap(mean -> mean.seeds().stream())
                .flatMap(
                    result ->
                        Stream.of(ModelState.values())
                            .flatMap(
                                state ->
                                    result.curve(state).effective().stream()
                                        .map(field -> new Line(result, state, field))))
                .toList());
  }

  /** For each task on strings and length: how the gradient spreads over a string. */
  static List<TableText> tenths(List<ReceptiveFieldResult> results) {
    return byGroup(
        ReceptiveFieldMean.of(results).stream().filter(mean -> mean.task().isPresent()),
        ReceptiveFieldTable::tenths);
  }

  private static TableText tenths(ReceptiveFieldMean.Group group, List<ReceptiveFieldMean> means) {
    record Row(String run, ModelState state, List<Double> tenths) {}
    Columns<Row> columns =
        new Columns<Row>()
            .words("run", row -> RunName.heading(row.run))
            .words("weights", row -> row.state.label());
    for (int i = 0; i < CumulativeGradient.NUM_TENTHS; i++) {
      int tenth = i;
      columns.number("" + (i + 1), row -> Numbers.of("%.1f", 100 * row.tenths.get(tenth)));
    }
    return columns.of(
        "Share of each tenth of %s".formatted(group.words()),
        means.stream()
            .flatMap(
                mean ->
                    Stream.of(ModelState.values())
                        .map(state -> new Row(mean.run(), state, mean.tenths(state))))
            .toList(),
        List.of(
            "The share of the gradient in per cent, the earliest tenth first, the mean over samples"
                + " and seeds. Compare a trained model with the same model before training."));
  }

  private static TableText table(ReceptiveFieldMean.Group group, List<ReceptiveFieldMean> means) {
    Columns<ReceptiveFieldMean> columns =
        new Columns<ReceptiveFieldMean>().number("scheme", mean -> RunName.heading(mean.run()));
    for (ModelState state : ModelState.values()) {
      String ending = state == ModelState.UNTRAINED ? ", untrained" : "";
      CumulativeGradient.SHARES.forEach(
          share ->
              columns.number(percent(share) + ending, mean -> cell(mean.effective(state, share))));
    }
    return columns
        .number("theoretical", mean -> Numbers.count(mean.theoretical()))
        .number("seeds", mean -> mean.seeds().size())
        .of(
            "Effective receptive field over " + group.words(),
            means,
            List.of(
                "The number of most recent tokens that hold a share of the gradient of the last"
                    + " position, with its 95 % interval over "
                    + samples(means)
                    + " samples. Both are averaged over seeds. Theoretical: the number of tokens"
                    + " that attention can reach."));
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
