package org.lengthwise.eval.report;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lengthwise.eval.result.EvaluatedModel;
import org.lengthwise.eval.result.Protocol;

/**
 * Perplexity by length (rows) and run (columns) under one protocol.
 *
 * @param protocol the protocol of every number
 * @param columns the runs, the paper's first and in its order
 * @param lengths the evaluated lengths, rising
 * @param cells the numbers by run and length; a pair without results is absent
 * @param models the models of those runs whose results name them
 * @param notes what a reader must know beyond the numbers, one sentence each
 */
public record PerplexityTable(
    Protocol protocol,
    List<Column> columns,
    List<Integer> lengths,
    Map<Column, Map<Integer, Cell>> cells,
    Map<Column, EvaluatedModel> models,
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
   * @return the cell, or empty where nothing was measured
   */
  public Optional<Cell> cell(Column column, int length) {
    return Optional.ofNullable(cells.getOrDefault(column, Map.of()).get(length));
  }

  /**
   * The model of a run.
   *
   * @param column the run
   * @return its model, or empty where its results are too old to say
   */
  public Optional<EvaluatedModel> model(Column column) {
    return Optional.ofNullable(models.get(column));
  }

  /**
   * The training lengths of the columns.
   *
   * @return the distinct lengths, rising
   */
  public List<Integer> trainLengths() {
    return columns.stream().map(Column::trainLength).distinct().sorted().toList();
  }

  /**
   * How many seeds a column averages, as text.
   *
   * @param column the run
   * @return {@code 3}, or {@code 2–3} where the lengths differ
   */
  public String seeds(Column column) {
    Collection<Cell> rows = cells.getOrDefault(column, Map.of()).values();
    return rows.stream()
        .map(Cell::numSeeds)
        .sorted()
        .distinct()
        .map(String::valueOf)
        .collect(Collectors.collectingAndThen(Collectors.toList(), PerplexityTable::range));
  }

  private static String range(List<String> rising) {
    return rising.size() == 1 ? rising.get(0) : rising.get(0) + "–" + rising.get(rising.size() - 1);
  }
}
