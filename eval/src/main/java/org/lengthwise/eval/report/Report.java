package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.eval.result.FinishedResults;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * A report: {@code table.csv}, {@code table.md}, {@code table.tex}, every plot as SVG and PNG, and
 * {@code report.html}, which holds them all.
 *
 * <p>A report is derived from results in seconds, so it is always written anew over an earlier one,
 * each file atomically and the page last; it is no artifact that later steps read and carries no
 * DONE marker.
 */
public final class Report {
  /** The page, the report's entry. */
  public static final String PAGE = "report.html";

  /** The tables for a terminal. */
  public static final String MARKDOWN = "table.md";

  private final Comparison comparison;
  private final List<ReceptiveFieldResult> receptiveFields;

  private Report(Comparison comparison, List<ReceptiveFieldResult> receptiveFields) {
    this.comparison = comparison;
    this.receptiveFields = List.copyOf(receptiveFields);
  }

  /**
   * Prepares a report of everything finished below some folders.
   *
   * @param roots the folders to search
   * @return the report
   * @throws IOException if a folder cannot be read
   * @throws DataFormatException if nothing finished is there, or results cannot stand side by side
   */
  public static Report under(List<Path> roots) throws IOException {
    FinishedResults found = FinishedResults.under(roots);
    if (found.evaluations().isEmpty() && found.receptiveFields().isEmpty()) {
      throw new DataFormatException(
          String.join(", ", roots.stream().map(Path::toString).toList()),
          "at least one results folder marked DONE",
          "none",
          "run lengthwise evaluate first, or name another folder with --results");
    }
    return new Report(
        Comparison.of(found.evaluations()),
        found.receptiveFields().stream().map(Located::value).toList());
  }

  /**
   * Writes the report.
   *
   * @param folder where to, created if need be
   * @throws IOException if a file cannot be written
   */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<PerplexityTable> tables = comparison.tables();
    PaperTable paper = PaperTable.load();
    List<TableText> perplexities =
        tables.stream().map(table -> TableText.of(table, paper)).toList();
    List<TableText> further = further();
    List<TableText> texts = Stream.concat(perplexities.stream(), further.stream()).toList();
    write(folder.resolve("table.csv"), CsvTable.of(comparison.results()));
    if (!receptiveFields.isEmpty()) {
      write(folder.resolve("receptive-field.csv"), ReceptiveFieldTable.csv(receptiveFields));
    }
    write(folder.resolve(MARKDOWN), MarkdownTable.of(texts));
    write(folder.resolve("table.tex"), LatexTable.of(texts));
    List<Plot> plots = plots(tables);
    for (Plot plot : plots) {
      write(folder.resolve(plot.name() + ".svg"), plot.svg());
      byte[] png = plot.png();
      AtomicFile.write(folder.resolve(plot.name() + ".png"), out -> out.write(png));
    }
    write(
        folder.resolve(PAGE),
        HtmlReport.of(perplexities, plots, further, comparison.results(), BuildInfo.current()));
  }

  private List<TableText> further() {
    List<TableText> further = new ArrayList<>();
    if (!receptiveFields.isEmpty()) {
      further.addAll(ReceptiveFieldTable.of(receptiveFields));
    }
    if (!comparison.results().isEmpty()) {
      further.add(ModelTable.of(comparison.results()));
    }
    return further;
  }

  private List<Plot> plots(List<PerplexityTable> tables) {
    List<String> runs =
        Stream.concat(
                comparison.columns().stream().map(Column::run),
                receptiveFields.stream().map(ReceptiveFieldResult::run))
            .distinct()
            .toList();
    PlotStyle style = new PlotStyle(runs);
    List<Plot> plots = new ArrayList<>();
    tables.forEach(table -> plots.add(PerplexityPlot.of(table, style)));
    plots.addAll(ReceptiveFieldPlot.of(receptiveFields, style));
    return plots;
  }

  private static void write(Path file, String text) throws IOException {
    AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
