package org.lengthwise.bench;

import static java.util.Objects.requireNonNullElse;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Count;

/** Prints a report as text for a terminal, or as Markdown for a page. */
public record BenchTable(PrintWriter out) {
  /** A column is shown if it has a text in any row. */
  private record Column(String heading, boolean isNumber, Function<BenchRow, String> cell) {}

  private static final String UNKNOWN = "unknown";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("part", false, row -> row.part().toString()),
          new Column("workload", false, BenchRow::workload),
          new Column("variant", false, BenchRow::variant),
          new Column("T", true, row -> text("%d", row.length())),
          measured("ms", row -> text("%,.2f", row.milliseconds().median())),
          measured("ms/1,000 tokens", row -> text("%,.3f", 1e6 / row.tokensPerSecond())),
          measured("tokens/s", row -> text("%,.0f", row.tokensPerSecond())),
          measured("peak MB", row -> known("%,d", row.peakMegabytes())),
          measured("MFU", row -> row.part() == BenchPart.SCHEMES ? share(row.mfu()) : ""),
          profiled("outside products", profile -> share(profile.outsideProducts())),
          profiled("operators", profile -> text("%,d", profile.operators())),
          profiled("copies", profile -> text("%,d", profile.copies())),
          new Column("compared", false, BenchTable::comparisons),
          new Column("attention as profiled", false, BenchTable::attention),
          new Column(
              "failure", false, row -> requireNonNullElse(row.failure(), "").replace('|', '/')));

  public void print(BenchReport report) {
    Host machine = report.machine();
    out.printf(
        Locale.ROOT,
        "%s, %s, %s, %,d MB, device %s%nJava %s, %s, memory: %s%n%s, %s%n",
        machine.processor(),
        Count.of(machine.processors(), "processor"),
        Count.of(machine.threads(), "thread"),
        machine.memoryMegabytes(),
        machine.device(),
        machine.java(),
        machine.engine(),
        machine.memory(),
        report.build(),
        report.config().precision().label());
    List<StringBuilder> lines = new ArrayList<>();
    for (int i = 0; i <= report.rows().size(); i++) {
      lines.add(new StringBuilder());
    }
    filled(report.rows(), Set.of(""))
        .forEach(
            (column, cells) -> {
              cells.add(0, column.heading());
              append(column, cells, lines);
            });
    lines.forEach(line -> out.println(line.toString().stripTrailing()));
    out.flush();
  }

  /** Prints the table of a page: without the part's name, and without what is unknown. */
  public void printMarkdown(BenchReport report) {
    Map<Column, List<String>> columns = filled(report.rows(), Set.of("", UNKNOWN));
    columns.keySet().removeIf(column -> column.heading().equals("part"));
    line(columns.keySet().stream().map(Column::heading));
    line(columns.keySet().stream().map(column -> column.isNumber() ? "---:" : ":---"));
    for (int i = 0; i < report.rows().size(); i++) {
      int row = i;
      line(columns.values().stream().map(cells -> cells.get(row)));
    }
    out.flush();
  }

  private void line(Stream<String> cells) {
    out.println(cells.collect(Collectors.joining(" | ", "| ", " |")));
  }

  /** The cells of the columns that say more than these texts. */
  private static Map<Column, List<String>> filled(List<BenchRow> rows, Set<String> empty) {
    Map<Column, List<String>> columns = new LinkedHashMap<>();
    for (Column column : Stream.concat(COLUMNS.stream(), limited(rows)).toList()) {
      List<String> cells = new ArrayList<>(rows.stream().map(column.cell()).toList());
      if (!empty.containsAll(cells)) {
        columns.put(column, cells);
      }
    }
    return columns;
  }

  /** Appends a column with two spaces after it. Numbers are aligned right. */
  private static void append(Column column, List<String> cells, List<StringBuilder> lines) {
    int width = cells.stream().mapToInt(String::length).max().orElseThrow();
    for (int i = 0; i < cells.size(); i++) {
      String space = " ".repeat(width - cells.get(i).length());
      lines.get(i).append(column.isNumber() ? space + cells.get(i) : cells.get(i) + space);
      lines.get(i).append("  ");
    }
  }

  /** A column for each name of a comparison with a limit. */
  private static Stream<Column> limited(List<BenchRow> rows) {
    return rows.stream()
        .flatMap(row -> row.comparisons().stream().filter(each -> each.limit() != null))
        .map(BenchRow.Contrast::to)
        .distinct()
        .map(to -> new Column(to, true, row -> limited(row, to)));
  }

  private static String limited(BenchRow row, String to) {
    return row.comparisons().stream()
        .filter(each -> each.limit() != null && each.to().equals(to))
        .map(each -> known("%.1e", each.difference()) + known(" of %.1e", each.limit()))
        .findFirst()
        .orElse("");
  }

  private static Column measured(String heading, Function<BenchRow, String> cell) {
    return new Column(heading, true, row -> row.failure() == null ? cell.apply(row) : "");
  }

  private static Column profiled(String heading, Function<StepProfile, String> cell) {
    return new Column(
        heading,
        true,
        row -> {
          StepProfile profile = row.profile();
          return profile == null ? "" : cell.apply(profile);
        });
  }

  private static String attention(BenchRow row) {
    StepProfile profile = row.profile();
    return profile == null
        ? ""
        : profile.attention().entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining("; "));
  }

  private static String comparisons(BenchRow row) {
    return row.comparisons().stream()
        .filter(each -> each.limit() == null)
        .map(BenchTable::comparison)
        .collect(Collectors.joining("; "));
  }

  private static String comparison(BenchRow.Contrast comparison) {
    String ratio = known("%.2fx ", comparison.ratio()) + comparison.to();
    Double difference = comparison.difference();
    return difference == null ? ratio : ratio + text(" (differs by %.1e)", difference);
  }

  private static String known(String format, @Nullable Number value) {
    if (value == null) {
      return UNKNOWN;
    }
    return text(format, value);
  }

  private static String share(@Nullable Double share) {
    return known("%.1f %%", share == null ? null : 100 * share);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
