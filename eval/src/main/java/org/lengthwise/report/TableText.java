package org.lengthwise.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.statistics.Estimate;

/**
 * A table as text, which Markdown, LaTeX and HTML render.
 *
 * @param title what the table shows
 * @param header the headings; the first one is for the names of rows
 * @param rows the rows, each with a name and then its cells
 * @param foot rows below the others, separated by a line
 * @param caption sentences that explain the numbers
 * @param alignment a letter for each column, {@code l} for words and {@code r} for numbers
 */
record TableText(
    String title,
    List<String> header,
    List<List<Entry>> rows,
    List<List<Entry>> foot,
    List<String> caption,
    String alignment) {
  /** Requires rows and alignment of the length of the header. */
  TableText {
    int columns = header.size();
    if (alignment.length() != columns || rows.stream().anyMatch(row -> row.size() != columns)) {
      throw new IllegalArgumentException(title + ": rows of " + columns + " cells expected");
    }
  }

  /** A table of numbers. */
  TableText(
      String title,
      List<String> header,
      List<List<Entry>> rows,
      List<List<Entry>> foot,
      List<String> caption) {
    this(title, header, rows, foot, caption, "r".repeat(header.size()));
  }

  /**
   * One cell: our number, and the paper's where the paper has one.
   *
   * @param text our number, or a row's name
   * @param interval the interval of our number in brackets, or empty
   * @param paper the number of the paper and our difference from it, or empty
   */
  record Entry(String text, String interval, String paper) {
    static Entry of(String text) {
      return new Entry(text, "", "");
    }

    /** A mean in nats with its interval. */
    static Entry of(Estimate estimate) {
      return new Entry(Numbers.nats(estimate.mean()), Numbers.interval(estimate.interval()), "");
    }

    /** The whole cell as text. */
    String spelled() {
      return text
          + (interval.isEmpty() ? "" : " " + interval)
          + (paper.isEmpty() ? "" : " [" + paper + "]");
    }
  }

  /** A table of perplexities, with the numbers of the paper where runs are comparable. */
  static TableText of(PerplexityTable table, PaperTable paper) {
    List<List<Entry>> rows =
        table.lengths().stream().map(length -> row(table, paper, length)).toList();
    return new TableText(
        "Perplexity against length, " + table.protocol().label() + " protocol",
        concat("T_ex", table.columns().stream().map(Column::heading).toList()),
        rows,
        List.of(line("seeds", table.columns().stream().map(table::seeds).toList())),
        caption(table, paper, rows));
  }

  /** The table with one more sentence in its caption. */
  TableText with(String sentence) {
    List<String> more = new ArrayList<>(caption);
    more.add(sentence);
    return new TableText(title, header, rows, foot, List.copyOf(more), alignment);
  }

  /** The table with columns as rows. A page has more room for runs as rows. */
  TableText transposed() {
    List<List<Entry>> lines = Stream.concat(rows.stream(), foot.stream()).toList();
    List<String> names = new ArrayList<>();
    rows.forEach(row -> names.add(header.get(0) + " = " + row.get(0).text()));
    foot.forEach(row -> names.add(row.get(0).text()));
    return new TableText(
        title,
        concat("run", names),
        IntStream.range(1, header.size())
            .mapToObj(
                i ->
                    concat(
                        Entry.of(header.get(i)), lines.stream().map(line -> line.get(i)).toList()))
            .toList(),
        List.of(),
        caption);
  }

  /** Whether any cell has a number of the paper. */
  boolean hasPaper() {
    return rows.stream().flatMap(List::stream).anyMatch(entry -> !entry.paper().isEmpty());
  }

  /** A row: its name, then its cells. */
  static List<Entry> line(String name, Entry... cells) {
    return concat(Entry.of(name), List.of(cells));
  }

  /** A row of plain text. */
  static List<Entry> line(String name, List<String> cells) {
    return concat(Entry.of(name), cells.stream().map(Entry::of).toList());
  }

  private static List<Entry> row(PerplexityTable table, PaperTable paper, int length) {
    String name = Integer.toString(length);
    return concat(
        Entry.of(name),
        table.columns().stream().map(column -> entry(table, paper, column, length)).toList());
  }

  private static Entry entry(PerplexityTable table, PaperTable paper, Column column, int length) {
    OptionalDouble reference = paper.perplexity(table, column, length);
    Optional<TableCell> cell = table.cell(column, length);
    return new Entry(
        cell.map(Numbers::cell).orElse(Numbers.MISSING),
        "",
        reference.isPresent() ? compared(cell, reference.getAsDouble()) : "");
  }

  private static String compared(Optional<TableCell> cell, double paper) {
    return Numbers.perplexity(paper)
        + cell.map(ours -> ", " + Numbers.signed(ours.mean() - paper)).orElse("");
  }

  private static List<String> caption(
      PerplexityTable table, PaperTable paper, List<List<Entry>> rows) {
    String trained =
        table.trainLengths().size() == 1
            ? "Trained at T_tr = " + Numbers.count(table.trainLengths().get(0)) + " tokens."
            : table.runs().stream()
                .map(column -> column.heading() + " " + Numbers.count(column.trainLength()))
                .collect(Collectors.joining(", ", "Trained at T_tr = ", " tokens."));
    List<String> caption = new ArrayList<>(List.of(trained));
    if (rows.stream().flatMap(List::stream).anyMatch(e -> !e.paper().isEmpty())) {
      caption.add(
          "In brackets: the number of the paper's Table 3 (OpenWebText2, tokens of gpt2, 50,000"
              + " steps, mean of three seeds), and our number minus the paper's.");
      paper.otherSizes(table).ifPresent(caption::add);
    }
    caption.addAll(table.notes());
    return List.copyOf(caption);
  }

  private static <T> List<T> concat(T first, List<T> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }
}
