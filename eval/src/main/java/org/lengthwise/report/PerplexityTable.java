package org.lengthwise.report;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.Protocol;

/**
 * Perplexity by length (rows) and run (columns) under one protocol.
 *
 * @param protocol the protocol of every number
 * @param columns the runs; the paper's runs come first, in the order of the paper
 * @param lengths the evaluated lengths in ascending order
 * @param cells the numbers by run and length; a pair without results is absent
 * @param models the models of the runs whose results name a model
 * @param notes sentences that explain the numbers
 */
public record PerplexityTable(
    Protocol protocol,
    List<Column> columns,
    List<Integer> lengths,
    Map<Column, Map<Integer, TableCell>> cells,
    Map<Column, EvaluatedCheckpoint.Model> models,
    List<String> notes) {
  /** Copies the collections. */
  public PerplexityTable {
    columns = List.copyOf(columns);
    lengths = List.copyOf(lengths);
    cells = Map.copyOf(cells);
    models = Map.copyOf(models);
    notes = List.copyOf(notes);
  }

  /**
   * The number of a run at a length.
   *
   * @param column the run
   * @param length the length
   * @return the cell; empty if there is no result
   */
  public Optional<TableCell> cell(Column column, int length) {
    return Optional.ofNullable(cells.getOrDefault(column, Map.of()).get(length));
  }

  /**
   * The model of a run.
   *
   * @param column the run
   * @return its model; empty if its results are of a release that did not record the model
   */
  public Optional<EvaluatedCheckpoint.Model> model(Column column) {
    return Optional.ofNullable(models.get(column));
  }

  /** The columns that are trained runs. */
  List<Column> runs() {
    return columns.stream().filter(column -> !column.isBaseline()).toList();
  }

  /** The columns that are n-gram baselines. */
  List<Column> baselines() {
    return columns.stream().filter(Column::isBaseline).toList();
  }

  /**
   * The training lengths of the columns.
   *
   * @return the distinct lengths in ascending order
   */
  public List<Integer> trainLengths() {
    return columns.stream().map(Column::trainLength).distinct().sorted().toList();
  }

  /**
   * The number of seeds that a column averages, as text.
   *
   * @param column the run
   * @return for example {@code 3}, or {@code 2–3} if lengths have different numbers of seeds; a
   *     dash for a baseline
   */
  public String seeds(Column column) {
    if (column.isBaseline()) {
      return Numbers.MISSING;
    }
    Collection<TableCell> rows = cells.getOrDefault(column, Map.of()).values();
    return rows.stream()
        .map(TableCell::numSeeds)
        .sorted()
        .distinct()
        .map(String::valueOf)
        .collect(Collectors.collectingAndThen(Collectors.toList(), PerplexityTable::range));
  }

  private static String range(List<String> rising) {
    return rising.size() == 1 ? rising.get(0) : rising.get(0) + "–" + rising.get(rising.size() - 1);
  }
}
