package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.Protocol;

/**
 * Perplexities at multiples of T_tr over that at T_tr, beside the same of the paper's Table 3: what
 * runs that were trained at another length, or on other tokens, have in common with the paper's.
 *
 * <p>KERPLE, T5 and ALiBi correspond to the paper's columns by their scheme. Which column a
 * RegularGPT corresponds to is a choice, since C and C^L scale differently: the configuration of
 * the report states it, or there is none.
 */
final class PaperRatioTable {
  /** The paper's lengths beyond its T_tr of 512. */
  private static final List<Integer> MULTIPLES = List.of(2, 4, 8, 16);

  private final PerplexityTable table;
  private final PaperTable paper;

  /** Our columns and the paper's, in the order of ours. */
  private final Map<Column, String> counterparts = new LinkedHashMap<>();

  private final List<String> alone = new ArrayList<>();

  private PaperRatioTable(PerplexityTable table, ReportContent content, PaperTable paper) {
    this.table = table;
    this.paper = paper;
    for (Column column : table.columns()) {
      if (!PaperTable.isAlike(table, column)) {
        counterpart(column, content)
            .ifPresentOrElse(of -> counterparts.put(column, of), () -> alone.add(column.heading()));
      }
    }
  }

  /** The table, or nothing where no run has a counterpart or another protocol was used. */
  static Optional<TableText> of(PerplexityTable table, ReportContent content, PaperTable paper) {
    return table.protocol() == Protocol.ALIGNED
        ? new PaperRatioTable(table, content, paper).text()
        : Optional.empty();
  }

  private static Optional<String> counterpart(Column column, ReportContent content) {
    Optional<String> stated =
        content.config().paperColumns().stream()
            .filter(said -> said.isOf(column))
            .map(PaperColumn::column)
            .findFirst();
    return stated.or(
        () ->
            content.comparison().results().stream()
                .filter(result -> result.run().equals(column.run()))
                .map(EvaluationResult::scheme)
                .filter(RunName::isOfThePaper)
                .findFirst());
  }

  private Optional<TableText> text() {
    List<String> header = new ArrayList<>(List.of("run", "the paper's"));
    MULTIPLES.forEach(multiple -> header.add(multiple + " T_tr"));
    List<List<TableText.Entry>> rows =
        counterparts.entrySet().stream().map(pair -> row(pair.getKey(), pair.getValue())).toList();
    boolean measured =
        rows.stream()
            .flatMap(row -> row.stream().skip(2))
            .anyMatch(entry -> !entry.text().equals(Numbers.MISSING));
    return measured
        ? Optional.of(
            new TableText(
                "Perplexity at multiples of T_tr over that at T_tr, ours and the paper's",
                header,
                rows,
                List.of(),
                caption(),
                "llrrrr"))
        : Optional.empty();
  }

  private List<TableText.Entry> row(Column column, String counterpart) {
    List<TableText.Entry> row = new ArrayList<>();
    row.add(TableText.Entry.of(column.heading()));
    row.add(TableText.Entry.of(RunName.heading(counterpart)));
    for (int multiple : MULTIPLES) {
      row.add(entry(ratio(column, multiple), paper.ratio(counterpart, multiple)));
    }
    return row;
  }

  private OptionalDouble ratio(Column column, int multiple) {
    Optional<Cell> base = table.cell(column, column.trainLength());
    Optional<Cell> beyond = table.cell(column, multiple * column.trainLength());
    return base.isEmpty() || beyond.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(beyond.get().mean() / base.get().mean());
  }

  private static TableText.Entry entry(OptionalDouble ours, OptionalDouble theirs) {
    if (theirs.isEmpty()) {
      return TableText.Entry.of(
          ours.isEmpty() ? Numbers.MISSING : Numbers.ratio(ours.getAsDouble()));
    }
    String paper = Numbers.ratio(theirs.getAsDouble());
    return ours.isEmpty()
        ? new TableText.Entry(Numbers.MISSING, paper)
        : new TableText.Entry(
            Numbers.ratio(ours.getAsDouble()),
            paper + ", " + Numbers.thousandths(ours.getAsDouble() - theirs.getAsDouble()));
  }

  private List<String> caption() {
    List<String> caption = new ArrayList<>();
    caption.add(
        "Of the perplexities averaged over seeds; beside ours the same of the paper's Table 3 (T_tr ="
            + " 512) and what ours is above it.");
    caption.add(
        "Which column is set beside a run follows from the scheme for KERPLE, T5 and ALiBi, and is"
            + " stated in the report's configuration (paper_columns) for others.");
    if (!alone.isEmpty()) {
      caption.add("Without a counterpart: " + String.join(", ", alone) + ".");
    }
    return caption;
  }
}
