package org.lengthwise.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.LockFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Picture;
import org.lengthwise.report.form.LatexTable;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.FinishedResults;

/**
 * A report: {@code table.csv}, {@code table.md}, {@code table.tex}, the charts as SVG and PNG,
 * {@code report.html} with all of them, and {@code report.json} with the numbers of the page.
 *
 * <p>A report takes seconds and no later step reads it. So it always replaces an earlier report,
 * has no DONE marker, and each file is written atomically: first {@code report.json}, which marks
 * the folder as that of a report, and the page last.
 */
public final class Report {
  public static final String PAGE = "report.html";

  public static final String MARKDOWN = "table.md";

  private static final String DATA = "report.json";

  private static final String LOCK = ".lock";
  private static final Logger LOG = LogManager.getLogger(Report.class);

  private final ReportContent content;

  private Report(ReportContent content) {
    this.content = content;
  }

  /**
   * Prepares a report of all finished results below some folders.
   *
   * @throws DataFormatException if there is no finished result, results cannot be compared, or a
   *     checkpoint has a damaged description
   */
  public static Report under(List<Path> roots, ReportConfig config) throws IOException {
    FinishedResults found = FinishedResults.under(roots);
    if (found.folders().isEmpty()) {
      throw new DataFormatException(
          String.join(", ", roots.stream().map(Path::toString).toList()),
          "at least one results folder marked DONE",
          "none",
          "run lengthwise evaluate first, or name another folder with --results");
    }
    return new Report(ReportContent.of(found, TrainedRun.under(roots), config));
  }

  /**
   * Requires a folder that is absent or empty, or has an earlier report.
   *
   * @throws ConfigException if it has other files
   */
  public static void requireOwn(Path folder) throws IOException {
    if (Files.isDirectory(folder) && !isReport(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        Optional<Path> other = files.filter(file -> !isHidden(file)).sorted().findFirst();
        if (other.isPresent()) {
          throw new ConfigException(
              folder.toString(),
              "a folder that is absent or empty, or has a report (%s)".formatted(DATA),
              "other files, such as " + other.get().getFileName(),
              "name another folder");
        }
      }
    }
  }

  private static boolean isReport(Path folder) throws IOException {
    try {
      Path data = folder.resolve(DATA);
      return Files.exists(data)
          && ConfigLoader.strictMapper().readTree(data.toFile()).has("verdicts");
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  /** The lock, and files that are being written. */
  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }

  /**
   * Writes the report into a folder, which is created if it does not exist.
   *
   * @throws ConfigException if the folder has other files, or another process is writing a report
   *     there
   */
  public void write(Path folder) throws IOException {
    requireOwn(folder);
    Files.createDirectories(folder);
    Optional<LockFile> lock = LockFile.tryLock(folder.resolve(LOCK));
    if (lock.isEmpty()) {
      throw new ConfigException(
          folder.toString(),
          "a folder that no other process writes",
          "another process is writing a report",
          "wait for that process to end, or name another folder");
    }
    try (LockFile held = lock.get()) {
      LOG.debug("locked: {}", held);
      writeFiles(folder);
    }
  }

  private void writeFiles(Path folder) throws IOException {
    List<Section> sections = content.sections();
    List<Chart> charts = sections.stream().flatMap(Section::charts).toList();
    List<Picture> pictures =
        Stream.concat(
                charts.stream().map(Picture::new),
                sections.stream().flatMap(Section::maps).map(Picture::new))
            .toList();
    Map<String, String> texts = new TreeMap<>(content.files());
    List<TableText> tables = sections.stream().flatMap(Section::tables).toList();
    texts.put(MARKDOWN, MarkdownTable.of(tables));
    texts.put("table.tex", LatexTable.of(tables));
    Set<String> names = new TreeSet<>(texts.keySet());
    pictures.forEach(picture -> names.addAll(picture.files()));
    names.addAll(List.of(DATA, PAGE));
    deleteOthers(folder, names);
    ReportData data = ReportData.of(content, charts, names);
    write(folder.resolve(DATA), ConfigLoader.strictMapper().writeValueAsString(data));
    for (Map.Entry<String, String> text : texts.entrySet()) {
      write(folder.resolve(text.getKey()), text.getValue());
    }
    for (Picture picture : pictures) {
      picture.write(folder);
    }
    write(
        folder.resolve(PAGE),
        Page.of(content.looks(), content.perplexity().results(), sections, BuildInfo.current()));
  }

  /**
   * Deletes the files that an earlier report had and this one has not. With more runs a chart
   * becomes several charts with other names.
   */
  private static void deleteOthers(Path folder, Set<String> names) throws IOException {
    Path data = folder.resolve(DATA);
    if (!Files.exists(data)) {
      return;
    }
    for (JsonNode file : ConfigLoader.strictMapper().readTree(data.toFile()).path("files")) {
      if (!names.contains(file.asText())) {
        Files.deleteIfExists(folder.resolve(Path.of(file.asText()).getFileName()));
      }
    }
  }

  private static void write(Path file, String text) throws IOException {
    AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}
