package org.lengthwise.report.form;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lengthwise.report.form.TableText.Entry;

/**
 * The columns of a table with a row for each value.
 *
 * @param <T> the type of a value
 */
public final class Columns<T> {
  private final List<String> header = new ArrayList<>();
  private final StringBuilder alignment = new StringBuilder();
  private final List<Function<T, Object>> cells = new ArrayList<>();

  /** A table without columns. */
  public Columns() {}

  /** {@return this with one more column of words; a cell is an entry, or becomes its text} */
  public Columns<T> words(String heading, Function<T, Object> cell) {
    return column(heading, 'l', cell);
  }

  /** {@return this with one more column of numbers, which are aligned to the right} */
  public Columns<T> number(String heading, Function<T, Object> cell) {
    return column(heading, 'r', cell);
  }

  private Columns<T> column(String heading, char letter, Function<T, Object> cell) {
    header.add(heading);
    alignment.append(letter);
    cells.add(cell);
    return this;
  }

  public TableText of(String title, List<T> values, List<String> caption) {
    return new TableText(
        title,
        header,
        values.stream().map(this::row).toList(),
        List.of(),
        caption,
        alignment.toString());
  }

  private List<Entry> row(T value) {
    return cells.stream()
        .map(cell -> cell.apply(value))
        .map(cell -> cell instanceof Entry entry ? entry : Entry.of(String.valueOf(cell)))
        .toList();
  }

  /** {@return the table as comma-separated values} */
  public String csv(List<T> values) {
    return values.stream()
        .map(value -> line(cells.stream().map(cell -> cell.apply(value)).toList()))
        .collect(Collectors.joining("", line(header), ""));
  }

  private static String line(List<?> parts) {
    return parts.stream().map(String::valueOf).collect(Collectors.joining(",", "", "\n"));
  }
}
