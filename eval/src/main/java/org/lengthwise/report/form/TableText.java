package org.lengthwise.report.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.statistics.Estimate;

/**
 * A table as text, which Markdown, LaTeX and HTML render.
 *
 * @param header the headings; the first one is for the names of rows
 * @param rows the rows, each with a name and then its cells
 * @param foot rows below the others, separated by a line
 * @param alignment a letter for each column, {@code l} for words and {@code r} for numbers
 */
public record TableText(
    String title,
    List<String> header,
    List<List<Entry>> rows,
    List<List<Entry>> foot,
    List<String> caption,
    String alignment) {
  public TableText {
    int columns = header.size();
    if (alignment.length() != columns || rows.stream().anyMatch(row -> row.size() != columns)) {
      throw new IllegalArgumentException(title + ": rows of " + columns + " cells expected");
    }
  }

  /**
   * One cell: our number, and the paper's where the paper has one.
   *
   * @param text our number, or a row's name
   * @param interval the interval of our number in brackets, or empty
   * @param paper the number of the paper and our difference from it, or empty
   * @param shade how good the number is among those of its column, from 0 to 1; NaN if it is not
   *     compared
   */
  public record Entry(String text, String interval, String paper, double shade) {
    /** The words for a difference that may be zero. */
    public static final String NOT_DISTINGUISHABLE = "not distinguishable";

    public static final String NO_CHANGE = "no change that matters";

    public static final String NO_DIFFERENCE = "no difference that matters";

    /** The words for a number from which nothing follows. */
    public static final String NOT_LEARNED = "not learned";

    private static final Set<String> WITHOUT_DIRECTION =
        Set.of(NOT_DISTINGUISHABLE, NO_CHANGE, NO_DIFFERENCE);

    /** A cell that is not compared with others. */
    public Entry(String text, String interval, String paper) {
      this(text, interval, paper, Double.NaN);
    }

    public static Entry of(String text) {
      return new Entry(text, "", "");
    }

    /** {@return a mean in nats with its interval, or that it was not measured} */
    public static Entry orMissing(@Nullable Estimate estimate) {
      return estimate == null ? of(Numbers.MISSING) : of(estimate);
    }

    /**
     * {@return a number in brackets, from which nothing follows}
     *
     * @param seeds how many seeds there are, in brackets, or empty
     */
    public static Entry inBrackets(String number, String seeds) {
      return new Entry("(" + number + ")", seeds, "");
    }

    /** {@return a mean in nats with its interval} */
    public static Entry of(Estimate estimate) {
      return new Entry(Numbers.nats(estimate.mean()), Numbers.interval(estimate.interval()), "");
    }

    /** {@return whether the words are that nothing differs or follows} */
    public boolean isWithoutDirection() {
      return WITHOUT_DIRECTION.contains(text) || text.endsWith(NOT_LEARNED) || text.startsWith("(");
    }

    public String spelled() {
      return text
          + (interval.isEmpty() ? "" : " " + interval)
          + (paper.isEmpty() ? "" : " [" + paper + "]");
    }
  }

  public TableText with(String sentence) {
    List<String> more = new ArrayList<>(caption);
    more.add(sentence);
    return new TableText(title, header, rows, foot, List.copyOf(more), alignment);
  }

  public TableText withFoot(List<List<Entry>> below) {
    return new TableText(title, header, rows, below, caption, alignment);
  }

  /** {@return the table with columns as rows; a page has more room for runs as rows} */
  public TableText transposed() {
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
        caption,
        "r".repeat(1 + names.size()));
  }

  public boolean hasPaper() {
    return rows.stream().flatMap(List::stream).anyMatch(entry -> !entry.paper().isEmpty());
  }

  /** {@return whether cells are shaded, so that a reader compares the rows of a column} */
  public boolean isShaded() {
    return rows.stream().flatMap(List::stream).anyMatch(entry -> !Double.isNaN(entry.shade()));
  }

  public static List<Entry> line(String name, Entry... cells) {
    return concat(Entry.of(name), List.of(cells));
  }

  public static List<Entry> line(String name, List<String> cells) {
    return concat(Entry.of(name), cells.stream().map(Entry::of).toList());
  }

  private static <T> List<T> concat(T first, List<T> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }
}
