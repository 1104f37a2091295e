package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.eval.result.FinishedResults;
import org.lengthwise.eval.result.Located;

/**
 * A report: {@code table.csv}, {@code table.md}, {@code table.tex}, every plot as SVG and PNG,
 * {@code report.html}, which holds them all, and {@code report.json}, the numbers behind the page.
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

  /** The numbers behind the page. */
  private static final String DATA = "report.json";

  private final ReportContent content;

  private Report(ReportContent content) {
    this.content = content;
  }

  /**
   * Prepares a report of everything finished below some folders.
   *
   * @param roots the folders to search
   * @param config what decides its conclusions
   * @return the report
   * @throws IOException if a folder cannot be read
   * @throws DataFormatException if nothing finished is there, or results cannot stand side by side
   */
  public static Report under(List<Path> roots, ReportConfig config) throws IOException {
    FinishedResults found = FinishedResults.under(roots);
    if (found.evaluations().isEmpty() && found.receptiveFields().isEmpty()) {
      throw new DataFormatException(
          String.join(", ", roots.stream().map(Path::toString).toList()),
          "at least one results folder marked DONE",
          "none",
          "run lengthwise evaluate first, or name another folder with --results");
    }
    Comparison comparison = Comparison.of(found.evaluations());
    IndividualScores scores = IndividualScores.beside(found.evaluations());
    return new Report(
        new ReportContent(
            comparison,
            comparison.tables().stream()
                .map(table -> TableStatistics.of(table, scores, config))
                .toList(),
            found.receptiveFields().stream().map(Located::value).toList(),
            TrainedRun.under(roots),
            config));
  }

  /**
   * Writes the report.
   *
   * @param folder where to, created if need be
   * @throws IOException if a file cannot be written
   */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<TableText> tables = tables();
    write(folder.resolve("table.csv"), CsvTable.of(content.comparison().results()));
    if (!content.receptiveFields().isEmpty()) {
      write(
          folder.resolve("receptive-field.csv"),
          ReceptiveFieldTable.csv(content.receptiveFields()));
    }
    write(folder.resolve(MARKDOWN), MarkdownTable.of(tables));
    write(folder.resolve("table.tex"), LatexTable.of(tables));
    PageData data = PageData.of(content);
    write(folder.resolve(DATA), data.json());
    List<Plot> plots = plots();
    for (Plot plot : plots) {
      plot.write(folder);
    }
    write(folder.resolve(PAGE), HtmlReport.of(content, data, plots, BuildInfo.current()));
  }

  private List<TableText> tables() {
    PaperTable paper = PaperTable.load();
    List<TableText> tables = new ArrayList<>();
    for (TableStatistics statistics : content.statistics()) {
      tables.add(StatisticsText.perplexities(statistics, paper));
      PaperRatioTable.of(statistics.table(), content, paper).ifPresent(tables::add);
      tables.addAll(StatisticsText.of(statistics, content.config()));
    }
    if (!content.receptiveFields().isEmpty()) {
      tables.addAll(ReceptiveFieldTable.of(content.receptiveFields()));
    }
    if (!content.comparison().results().isEmpty()) {
      tables.add(ModelTable.of(content.comparison().results()));
    }
    return tables;
  }

  private List<Plot> plots() {
    PlotStyle style = new PlotStyle(content.runs());
    List<Plot> plots = new ArrayList<>();
    for (TableStatistics statistics : content.statistics()) {
      plots.add(PerplexityPlot.of(statistics, style));
      if (!statistics.verdicts().isEmpty()) {
        plots.add(ChangePlot.of(statistics, content.config(), style));
      }
      if (!statistics.byPosition().isEmpty()) {
        plots.add(PositionPlot.of(statistics, style));
      }
    }
    plots.addAll(ReceptiveFieldPlot.of(content.receptiveFields(), style));
    if (!content.trained().isEmpty()) {
      plots.add(TrainingPlot.of(content.trained(), style));
    }
    return plots;
  }

  private static void write(Path file, String text) throws IOException {
    AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
