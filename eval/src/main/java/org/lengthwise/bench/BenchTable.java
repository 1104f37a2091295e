package org.lengthwise.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Count;

/** Prints a report as text for a terminal. */
public record BenchTable(PrintWriter out) {
  private static final List<String> HEADING =
      List.of(
          "part",
          "workload",
          "variant",
          "T",
          "ms",
          "ms/1,000 tokens",
          "tokens/s",
          "peak MB",
          "compared");

  private static final List<String> SCHEMES_HEADING =
      List.of(
          "scheme",
          "T",
          "batch",
          "ms",
          "tokens/s",
          "MFU",
          "peak MB",
          "outside products",
          "operators",
          "copies",
          "attention as profiled");

  /** The columns from this one to the second to last are numbers. */
  private static final int FIRST_NUMBER = 3;

  private static final double MILLISECONDS_PER_SECOND = 1000;
  private static final double BYTES_PER_MEGABYTE = 1 << 20;

  /** Prints all parts. */
  public void print(BenchReport report) {
    print(report.machine());
    out.printf("%s, %s%n", report.build(), report.config().precision().label());
    if (!report.rows().isEmpty()) {
      printRows(report.rows());
    }
    if (!report.schemes().isEmpty()) {
      printSchemes(report.schemes());
    }
    if (report.reading() != null) {
      print(report.reading());
    }
    if (!report.soak().isEmpty()) {
      printSoak(report.soak());
    }
    out.flush();
  }

  private void print(Host machine) {
    out.printf(
        Locale.ROOT,
        "%s, %s, %s, %,d MB, device %s%nJava %s, %s, memory: %s%n",
        machine.processor(),
        Count.of(machine.processors(), "processor"),
        Count.of(machine.threads(), "thread"),
        machine.memoryMegabytes(),
        machine.device(),
        machine.java(),
        machine.engine(),
        machine.memory());
  }

  private void printRows(List<BenchRow> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADING);
    rows.forEach(row -> lines.add(cells(row)));
    printLines(lines, FIRST_NUMBER);
  }

  private void printSchemes(List<SchemesBench.Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(SCHEMES_HEADING);
    rows.forEach(row -> lines.add(cells(row)));
    printLines(lines, 1);
  }

  /** Prints cells in columns, numbers aligned right. The last column is text. */
  private void printLines(List<List<String>> lines, int firstNumber) {
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < line.size() - 1; i++) {
        int width = width(lines, i);
        String format = i < firstNumber ? "%-" + width + "s  " : "%" + width + "s  ";
        text.append(format.formatted(line.get(i)));
      }
      out.println(text.append(line.get(line.size() - 1)).toString().stripTrailing());
    }
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElseThrow();
  }

  private static List<String> cells(BenchRow row) {
    double perThousand = row.millisecondsPerThousandTokens();
    Long peak = row.peakMegabytes();
    return List.of(
        row.part().toString(),
        row.workload(),
        row.variant(),
        text("%d", row.length()),
        text("%,.2f", row.milliseconds().median()),
        text("%,.3f", perThousand),
        text("%,.0f", 1000 * MILLISECONDS_PER_SECOND / perThousand),
        peak == null ? "unknown" : text("%,d", peak),
        row.comparisons().stream().map(BenchTable::comparison).collect(Collectors.joining("; ")));
  }

  private static List<String> cells(SchemesBench.Row row) {
    Long peak = row.peakMegabytes();
    TraceFile.Profile profile = row.profile();
    return List.of(
        row.scheme(),
        text("%d", row.length()),
        text("%d", row.batch()),
        text("%,.2f", row.milliseconds().median()),
        text("%,.0f", row.tokensPerSecond()),
        percent(row.mfu()),
        peak == null ? "unknown" : text("%,d", peak),
        profile == null ? "not profiled" : percent(profile.outsideProducts()),
        profile == null ? "" : text("%,d", profile.operators()),
        profile == null ? "" : text("%,d", profile.copies()),
        profile == null ? "" : attention(profile));
  }

  private static String percent(@Nullable Double share) {
    return share == null ? "unknown" : text("%.1f %%", 100 * share);
  }

  private static String attention(TraceFile.Profile profile) {
    return profile.attention().entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining("; "));
  }

  private static String comparison(BenchRow.Contrast comparison) {
    String ratio = text("%.2fx %s", comparison.ratio(), comparison.to());
    Double difference = comparison.difference();
    return difference == null ? ratio : ratio + text(" (differs by %.1e)", difference);
  }

  private void print(ShardReadingBench.Result reading) {
    out.printf(
        Locale.ROOT,
        "random windows of %s, %s, opened in %.0f ms%n",
        Count.of(reading.shards(), "shard"),
        Count.of(reading.tokens(), "token"),
        reading.openingMilliseconds());
    out.println(" T + 1   million tokens/s  bytes allocated per window");
    for (ShardReadingBench.Row row : reading.windows()) {
      out.printf(
          Locale.ROOT,
          "%6d %18.0f %27.1f%n",
          row.windowLength(),
          row.tokensPerSecond() / 1e6,
          row.allocatedBytesPerWindow());
    }
  }

  private void printSoak(List<SoakBench.Row> rows) {
    out.println("    step  resident MB  heap MB");
    for (SoakBench.Row row : rows) {
      Long resident = row.residentBytes();
      out.printf(
          Locale.ROOT,
          "%8d %12s %8.1f%n",
          row.step(),
          resident == null ? "unknown" : text("%.1f", resident / BYTES_PER_MEGABYTE),
          row.heapBytes() / BYTES_PER_MEGABYTE);
    }
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
