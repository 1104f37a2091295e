package org.lengthwise.report.perplexity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.Protocol;

/**
 * Perplexity by length (rows) and run (columns) under one protocol.
 *
 * @param columns the runs; the paper's runs come first, in the order of the paper
 * @param cells the numbers by run and length; a pair without results is absent
 */
record PerplexityTable(
    Protocol protocol,
    List<Column> columns,
    List<Integer> lengths,
    Map<Column, Map<Integer, TableCell>> cells,
    Map<Column, EvaluatedCheckpoint.Model> models,
    List<String> notes) {
  PerplexityTable {
    columns = List.copyOf(columns);
    lengths = List.copyOf(lengths);
    cells = Map.copyOf(cells);
    models = Map.copyOf(models);
    notes = List.copyOf(notes);
  }

  Optional<TableCell> cell(Column column, int length) {
    return Optional.ofNullable(cells.getOrDefault(column, Map.of()).get(length));
  }

  /** The model of a run; empty if its results are of a release that did not record the model. */
  Optional<EvaluatedCheckpoint.Model> model(Column column) {
    return Optional.ofNullable(models.get(column));
  }

  List<Column> runs() {
    return columns.stream().filter(column -> !column.isBaseline()).toList();
  }

  List<Column> baselines() {
    return columns.stream().filter(Column::isBaseline).toList();
  }

  List<Integer> trainLengths() {
    return columns.stream().map(Column::trainLength).distinct().sorted().toList();
  }

  /**
   * The number of seeds that a column averages, for example {@code 3}, or {@code 2–3} if lengths
   * have different numbers of seeds; a dash for a baseline.
   */
  String seeds(Column column) {
    if (column.isBaseline()) {
      return Numbers.MISSING;
    }
    Collection<TableCell> rows = cells.getOrDefault(column, Map.of()).values();
    return Numbers.range(rows.stream().map(TableCell::numSeeds).sorted().toList());
  }

  /** The table as text, with the numbers of the paper where runs are comparable. */
  TableText text(PaperTable paper) {
    return text("Perplexity", (column, length) -> entry(paper, column, length), caption(paper));
  }

  TableText text(String measure, BiFunction<Column, Integer, Entry> entry, List<String> sentences) {
    Columns<Integer> text = new Columns<Integer>().number("T_ex", length -> length);
    columns.forEach(run -> text.number(run.heading(), length -> entry.apply(run, length)));
    return text.of(
            measure + " against length, " + protocol.label() + " protocol", lengths, sentences)
        .withFoot(List.of(TableText.line("seeds", columns.stream().map(this::seeds).toList())));
  }

  private Entry entry(PaperTable paper, Column column, int length) {
    OptionalDouble reference = paper.perplexity(this, column, length);
    Optional<TableCell> cell = cell(column, length);
    return new Entry(
        cell.map(PerplexityNumbers::cell).orElse(Numbers.MISSING),
        "",
        reference.isPresent() ? compared(cell, reference.getAsDouble()) : "");
  }

  private static String compared(Optional<TableCell> cell, double paper) {
    return PerplexityNumbers.perplexity(paper)
        + cell.map(ours -> ", " + PerplexityNumbers.signed(ours.mean() - paper)).orElse("");
  }

  private List<String> caption(PaperTable paper) {
    List<String> caption = new ArrayList<>();
    caption.add(
        trainLengths().size() == 1
            ? "Trained at T_tr = " + Numbers.count(trainLengths().get(0)) + " tokens."
            : runs().stream()
                .map(column -> column.heading() + " " + Numbers.count(column.trainLength()))
                .collect(Collectors.joining(", ", "Trained at T_tr = ", " tokens.")));
    if (columns.stream()
        .flatMap(column -> lengths.stream().map(length -> entry(paper, column, length)))
        .anyMatch(entry -> !entry.paper().isEmpty())) {
      caption.add(
          "In brackets: the number of the paper's Table 3 (OpenWebText2, tokens of gpt2, 50,000"
              + " steps, mean of three seeds), and our number minus the paper's.");
      paper.otherSizes(this).ifPresent(caption::add);
    }
    caption.addAll(notes);
    return List.copyOf(caption);
  }
}
