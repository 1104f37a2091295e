package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Protocol;

/**
 * The perplexity at multiples of T_tr divided by the perplexity at T_tr, for our runs and for the
 * paper's Table 3. Runs with another training length or tokenizer can be compared with the paper
 * only by these ratios.
 *
 * <p>The scheme determines the column of the paper for KERPLE, T5 and ALiBi. For RegularGPT the
 * configuration of the report names the column, because C and C^L scale differently.
 */
final class PaperRatioTable {
  /** The paper's lengths beyond its T_tr of 512. */
  private static final List<Integer> MULTIPLES = List.of(2, 4, 8, 16);

  private final PerplexityTable table;
  private final PaperTable paper;

  /** The column of the paper for each of our columns that has one, in our order. */
  private final Map<Column, String> counterparts = new LinkedHashMap<>();

  private final List<String> alone = new ArrayList<>();

  private PaperRatioTable(
      PerplexityTable table,
      List<EvaluationResult> results,
      List<PaperColumn> stated,
      PaperTable paper) {
    this.table = table;
    this.paper = paper;
    for (Column column : table.runs()) {
      if (!PaperTable.isAlike(table, column)) {
        counterpart(column, results, stated)
            .ifPresentOrElse(of -> counterparts.put(column, of), () -> alone.add(column.heading()));
      }
    }
  }

  /** The table; empty for protocols other than aligned, and if no run has a ratio. */
  static Optional<TableText> of(
      PerplexityTable table,
      List<EvaluationResult> results,
      List<PaperColumn> stated,
      PaperTable paper) {
    return table.protocol() == Protocol.ALIGNED
        ? new PaperRatioTable(table, results, stated, paper).text()
        : Optional.empty();
  }

  private static Optional<String> counterpart(
      Column column, List<EvaluationResult> results, List<PaperColumn> stated) {
    return Stream.concat(
            stated.stream().filter(said -> said.isOf(column)).map(PaperColumn::column),
            results.stream()
                .filter(result -> result.run().equals(column.run()))
                .map(result -> result.subject().scheme())
                .filter(RunName::isOfThePaper))
        .findFirst();
  }

  private Optional<TableText> text() {
    Columns<Map.Entry<Column, String>> columns =
        new Columns<Map.Entry<Column, String>>()
            .words("run", pair -> pair.getKey().heading())
            .words("the paper's", pair -> RunName.heading(pair.getValue()));
    for (int multiple : MULTIPLES) {
      columns.number(
          multiple + " T_tr",
          pair -> entry(ratio(pair.getKey(), multiple), paper.ratio(pair.getValue(), multiple)));
    }
    boolean measured =
        counterparts.keySet().stream()
            .anyMatch(run -> MULTIPLES.stream().anyMatch(at -> ratio(run, at).isPresent()));
    return measured
        ? Optional.of(
            columns.of(
                "Perplexity at multiples of T_tr, divided by the perplexity at T_tr",
                List.copyOf(counterparts.entrySet()),
                caption()))
        : Optional.empty();
  }

  private OptionalDouble ratio(Column column, int multiple) {
    Optional<TableCell> base = table.cell(column, column.trainLength());
    Optional<TableCell> beyond = table.cell(column, multiple * column.trainLength());
    return base.isEmpty() || beyond.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(beyond.get().mean() / base.get().mean());
  }

  private static TableText.Entry entry(OptionalDouble ours, OptionalDouble theirs) {
    if (theirs.isEmpty()) {
      return TableText.Entry.of(
          ours.isEmpty() ? Numbers.MISSING : PerplexityNumbers.ratio(ours.getAsDouble()));
    }
    String paper = PerplexityNumbers.ratio(theirs.getAsDouble());
    return ours.isEmpty()
        ? new TableText.Entry(Numbers.MISSING, "", paper)
        : new TableText.Entry(
            PerplexityNumbers.ratio(ours.getAsDouble()),
            "",
            paper + ", " + Numbers.of("%+.3f", ours.getAsDouble() - theirs.getAsDouble()));
  }

  private List<String> caption() {
    List<String> caption = new ArrayList<>();
    caption.add(
        "Ratios of perplexities averaged over seeds. In brackets: the ratio in the paper's Table 3"
            + " (T_tr = 512), and our ratio minus the paper's.");
    caption.add(
        "The scheme determines the column of the paper for KERPLE, T5 and ALiBi. The configuration"
            + " of the report (paper_columns) names the column for other runs.");
    if (!alone.isEmpty()) {
      caption.add("Runs without a column of the paper: " + String.join(", ", alone) + ".");
    }
    return caption;
  }
}
