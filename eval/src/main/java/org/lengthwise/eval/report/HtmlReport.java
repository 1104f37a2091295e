package org.lengthwise.eval.report;

import java.awt.Color;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.Verdict;

/**
 * {@code report.html}: what was found first, then charts and tables, then where every number comes
 * from. The charts are drawn by the page's script; readers without scripts see the static plots,
 * their ink turned into the page's colours.
 */
final class HtmlReport {
  /** The plots' fixed colours and the style variables that take their place on the page. */
  private static final Map<String, String> INKS =
      Map.of(
          "rgb(255,255,255)",
          "var(--paper)",
          rgb(PlotStyle.INK),
          "var(--plot-ink)",
          rgb(PlotStyle.GRID),
          "var(--plot-grid)",
          rgb(PlotStyle.MARK),
          "var(--plot-mark)",
          rgb(PlotStyle.MARK_TEXT),
          "var(--plot-ink)");

  private final ReportContent content;
  private final PageData data;
  private final List<Plot> plots;
  private final StringBuilder body = new StringBuilder();

  private HtmlReport(ReportContent content, PageData data, List<Plot> plots) {
    this.content = content;
    this.data = data;
    this.plots = plots;
  }

  static String of(ReportContent content, PageData data, List<Plot> plots, BuildInfo build)
      throws IOException {
    HtmlReport report = new HtmlReport(content, data, plots);
    report.findings();
    report.body.append(
        "<div class=\"legend\"><fieldset id=\"runs\"><legend>Runs</legend></fieldset></div>\n");
    List<TableStatistics> tables = content.statistics();
    for (int i = 0; i < tables.size(); i++) {
      report.perplexities(tables.get(i), i);
    }
    report.positions();
    report.receptiveFields();
    report.training();
    report.models();
    return HtmlPage.of(
        HtmlText.escape(report.summary()), report.body.toString(), report.footer(build), data);
  }

  private List<EvaluationResult> results() {
    return content.comparison().results();
  }

  private String summary() {
    if (results().isEmpty()) {
      return "Receptive fields of language models.";
    }
    List<Integer> lengths =
        results().stream().map(EvaluationResult::length).distinct().sorted().toList();
    long numRuns = results().stream().map(EvaluationResult::run).distinct().count();
    String trained =
        results().stream()
            .map(EvaluationResult::trainLength)
            .distinct()
            .sorted()
            .map(Numbers::count)
            .collect(Collectors.joining(" or "));
    return "Language models of %d %s, trained on sequences of %s tokens and measured on %s, unchanged."
        .formatted(
            numRuns,
            numRuns == 1 ? "kind" : "kinds",
            trained,
            lengths.size() == 1
                ? Numbers.count(lengths.get(0))
                : Numbers.count(lengths.get(0))
                    + " to "
                    + Numbers.count(lengths.get(lengths.size() - 1)));
  }

  /** The verdicts, in words. */
  private void findings() {
    for (TableStatistics table : content.statistics()) {
      if (table.verdicts().isEmpty()) {
        continue;
      }
      heading("What was found" + under(table));
      body.append("<ul class=\"findings\">\n");
      table.verdicts().forEach((column, verdict) -> body.append(finding(table, column, verdict)));
      body.append("</ul>\n");
      StatisticsText.verdicts(table, content.config())
          .caption()
          .forEach(sentence -> body.append(HtmlText.note(sentence)));
    }
  }

  private static String finding(TableStatistics table, Column column, Verdict verdict) {
    Map.Entry<Integer, Estimate> longest = table.longestChange(column);
    Estimate change = longest.getValue();
    return """
    <li><b><span data-swatch="%s"></span> %s</b> <span class="outcome outcome-%s">%s</span>\
     <span class="note">at %s: perplexity %s, %s nats</span></li>
    """
        .formatted(
            column.run(),
            HtmlText.escape(column.heading()),
            verdict.outcome().label(),
            HtmlText.escape(verdict.words()),
            Numbers.count(longest.getKey()),
            Numbers.ratio(Math.exp(change.mean())),
            Numbers.estimate(change));
  }

  private void perplexities(TableStatistics table, int index) {
    PaperTable paper = PaperTable.load();
    heading("Perplexity against length" + under(table));
    chart("perplexity", index, plot("perplexity-" + table.table().protocol().label()));
    TableText perplexities = StatisticsText.perplexities(table, paper);
    body.append(HtmlTable.of(perplexities.transposed()));
    if (!perplexities.hasPaper() && index == 0) {
      body.append("<details><summary>The paper's Table 3, for its shape</summary>\n")
          .append(HtmlTable.of(paper.text().transposed()))
          .append("</details>\n");
    }
    PaperRatioTable.of(table.table(), content, paper)
        .ifPresent(ratios -> body.append(HtmlTable.of(ratios)));
    if (!table.verdicts().isEmpty()) {
      heading("Change since the training length" + under(table));
      chart("change", index, plot("change-" + table.table().protocol().label()));
      body.append(HtmlTable.of(StatisticsText.changes(table, content.config())));
    }
    if (!table.steps().isEmpty()) {
      body.append(HtmlTable.of(StepTable.of(table)));
    }
    differences(table);
  }

  private void differences(TableStatistics table) {
    if (table.differences().isEmpty()) {
      return;
    }
    heading("Differences between runs" + under(table));
    List<Integer> lengths = table.table().lengths();
    for (int i = lengths.size() - 1; i >= 0; i--) {
      int length = lengths.get(i);
      if (!table.differencesAt(length).isEmpty()) {
        body.append(
                "<details class=\"at-length\"%s><summary>"
                    .formatted(length == table.longest() ? " open" : ""))
            .append(HtmlText.prose("at T_ex = " + Numbers.count(length)))
            .append("</summary>\n")
            .append(HtmlTable.of(StatisticsText.differences(table, content.config(), length)))
            .append("</details>\n");
      }
    }
  }

  private void positions() {
    List<TableStatistics> tables =
        content.statistics().stream().filter(table -> !table.byPosition().isEmpty()).toList();
    for (int i = 0; i < tables.size(); i++) {
      heading("Loss by position" + under(tables.get(i)));
      chart("position", i, plot(PositionPlot.name(tables.get(i))));
      body.append(
          HtmlText.note(
              "Mean negative log-likelihood of tokens that have so many tokens of their window"
                  + " before them, at T_ex = %s, with its interval."
                      .formatted(Numbers.count(tables.get(i).longest()))));
    }
  }

  private void receptiveFields() {
    if (content.receptiveFields().isEmpty()) {
      return;
    }
    heading("Receptive fields");
    body.append(
        HtmlText.note(
            "Where the last position's gradient comes from: a slanted straight line means that every"
                + " position matters, a curve that rises at the right end alone means windowed"
                + " attention. Markers: 50, 90 and 99 %. Dashed: the same model before training."
                + " Vertical: as far as the scheme can reach at all, where that is not the whole length."));
    List<PageData.Field> fields = data.receptiveFields();
    for (int i = 0; i < fields.size(); i++) {
      chart("field", i, plot("receptive-field-" + fields.get(i).length()));
    }
    fieldsOfRuns();
    ReceptiveFieldTable.of(content.receptiveFields())
        .forEach(table -> body.append(HtmlTable.of(table)));
  }

  /** One scheme at several lengths; eight more drawings for readers without scripts weigh 1 MB. */
  private void fieldsOfRuns() {
    if (data.runs().stream().noneMatch(run -> data.fieldLengths(run.run()).size() > 1)) {
      return;
    }
    body.append(
        HtmlText.note(
            "One scheme at several lengths, by the most recent tokens counted: where curves coincide, the"
                + " field does not grow with the length. Without scripts: the plots receptive-field-of-*."));
    for (int i = 0; i < data.runs().size(); i++) {
      PageData.Run run = data.runs().get(i);
      List<Integer> lengths = data.fieldLengths(run.run());
      if (lengths.size() > 1) {
        body.append(
            "<details class=\"scripted\" data-run=\"%s\"><summary><span data-swatch=\"%s\"></span> %s at %s tokens</summary>\n"
                .formatted(
                    run.run(),
                    run.run(),
                    HtmlText.escape(run.heading()),
                    lengths.stream().map(Numbers::count).collect(Collectors.joining(" and "))));
        chart("field-of-run", i, Optional.empty());
        body.append("</details>\n");
      }
    }
  }

  private void training() {
    if (content.trained().isEmpty()) {
      return;
    }
    heading("Training");
    body.append(
        HtmlText.note(
            "Lines: the running mean of the loss of training steps, for each seed. Markers: validation."));
    chart("training", 0, plot(TrainingPlot.NAME));
    body.append(HtmlTable.of(TrainingTable.of(content.trained())));
  }

  private void models() {
    if (results().isEmpty() && content.trained().isEmpty()) {
      return;
    }
    heading("Runs");
    if (!results().isEmpty()) {
      body.append(HtmlTable.of(ModelTable.of(results())));
    }
    content.trained().forEach(run -> body.append(HtmlRun.of(run)));
  }

  private void heading(String text) {
    body.append("<h2>").append(HtmlText.prose(text)).append("</h2>\n");
  }

  private String under(TableStatistics table) {
    return content.statistics().size() == 1
        ? ""
        : ", " + table.table().protocol().label() + " protocol";
  }

  private Optional<Plot> plot(String name) {
    return plots.stream().filter(plot -> plot.name().equals(name)).findFirst();
  }

  private void chart(String kind, int index, Optional<Plot> plot) {
    body.append(
            "<figure>\n<div class=\"chart\" data-chart=\"%s\" data-index=\"%d\">"
                .formatted(kind, index))
        .append("</div>\n<output class=\"readout\" aria-live=\"polite\"></output>\n");
    plot.ifPresent(
        drawn -> body.append("<noscript>").append(drawing(drawn)).append("</noscript>\n"));
    body.append("</figure>\n");
  }

  private static String drawing(Plot plot) {
    String svg = plot.svg();
    String drawing = svg.substring(svg.indexOf("<svg"));
    for (Map.Entry<String, String> ink : INKS.entrySet()) {
      drawing = drawing.replace(ink.getKey(), ink.getValue());
    }
    String label = HtmlText.escape(plot.title());
    return drawing
        .replaceFirst("<svg", "<svg role=\"img\" aria-label=\"" + label + "\"")
        .replaceFirst(" height=\"[^\"]*\"", "")
        .replaceFirst(" width=\"[^\"]*\"", "")
        .strip();
  }

  private String footer(BuildInfo build) {
    String data =
        results().stream()
            .map(EvaluationResult::dataSha256)
            .distinct()
            .map(sha256 -> " Data <code>" + sha256 + "</code>.")
            .collect(Collectors.joining());
    String measured =
        results().stream()
            .map(EvaluationResult::build)
            .distinct()
            .map(by -> " Measured by " + spelled(by) + ".")
            .collect(Collectors.joining());
    return "Report by %s.%s%s The charts are drawn with D3 by Mike Bostock (ISC licence, in the page)."
        .formatted(spelled(build), measured, data);
  }

  private static String spelled(BuildInfo build) {
    return "Lengthwise %s, commit <code>%s</code>%s"
        .formatted(
            HtmlText.escape(build.version()),
            HtmlText.escape(build.commit()),
            build.dirty() ? " with changes" : "");
  }

  private static String rgb(Color colour) {
    return "rgb(%d,%d,%d)".formatted(colour.getRed(), colour.getGreen(), colour.getBlue());
  }
}
