package org.lengthwise.eval.report;

import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.eval.result.EvaluationResult;

/**
 * {@code report.html}: one page that needs nothing but itself. The plots are the SVG files inlined,
 * with their ink turned into the page's colours, so that they follow light, dark and print.
 */
final class HtmlReport {
  private static final String TEMPLATE = "report.html";

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

  private HtmlReport() {}

  static String of(
      List<TableText> perplexities,
      List<Plot> plots,
      List<TableText> further,
      List<EvaluationResult> results,
      BuildInfo build)
      throws IOException {
    StringBuilder body = new StringBuilder();
    perplexities.forEach(table -> body.append(section(table)));
    for (Plot plot : plots) {
      body.append(figure(plot));
    }
    further.forEach(table -> body.append(section(table)));
    return template()
        .replace("{{summary}}", escape(summary(results)))
        .replace("{{body}}", body)
        .replace("{{footer}}", footer(results, build));
  }

  private static String summary(List<EvaluationResult> results) {
    if (results.isEmpty()) {
      return "Receptive fields of language models.";
    }
    List<Integer> lengths =
        results.stream().map(EvaluationResult::length).distinct().sorted().toList();
    long numRuns = results.stream().map(EvaluationResult::run).distinct().count();
    String trained =
        results.stream()
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

  private static String section(TableText table) {
    StringBuilder html = new StringBuilder("<section>\n<h2>" + escape(table.title()) + "</h2>\n");
    html.append("<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>");
    table.header().forEach(h -> html.append("<th scope=\"col\">").append(text(h)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    table.rows().forEach(row -> html.append(row(row)));
    html.append("</tbody>\n<tfoot>\n");
    table.foot().forEach(row -> html.append(row(row)));
    html.append("</tfoot>\n</table>\n</div>\n");
    table.caption().forEach(sentence -> html.append(caption(sentence)));
    return html.append("</section>\n").toString();
  }

  private static String caption(String sentence) {
    String kind = sentence.startsWith("Warning") ? "caption warning" : "caption";
    return "<p class=\"%s\">%s</p>%n".formatted(kind, text(sentence));
  }

  private static String row(List<TableText.Entry> entries) {
    String cells =
        entries.stream()
            .skip(1)
            .map(entry -> "<td>" + text(entry.text()) + paper(entry) + "</td>")
            .collect(Collectors.joining());
    return "<tr><th scope=\"row\">" + text(entries.get(0).text()) + "</th>" + cells + "</tr>\n";
  }

  private static String paper(TableText.Entry entry) {
    return entry.paper().isEmpty() ? "" : "<small>[" + entry.paper() + "]</small>";
  }

  private static String figure(Plot plot) throws IOException {
    String svg = plot.svg();
    String drawing = svg.substring(svg.indexOf("<svg"));
    for (Map.Entry<String, String> ink : INKS.entrySet()) {
      drawing = drawing.replace(ink.getKey(), ink.getValue());
    }
    drawing =
        drawing
            .replaceFirst("<svg", "<svg role=\"img\" aria-label=\"" + escape(plot.title()) + "\"")
            .replaceFirst(" height=\"[^\"]*\"", "")
            .replaceFirst(" width=\"[^\"]*\"", "");
    return "<figure tabindex=\"0\">\n" + drawing.strip() + "\n</figure>\n";
  }

  private static String footer(List<EvaluationResult> results, BuildInfo build) {
    String data =
        results.stream()
            .map(EvaluationResult::dataSha256)
            .distinct()
            .map(sha256 -> " Test data <code>" + sha256 + "</code>.")
            .collect(Collectors.joining());
    return "Lengthwise %s, commit <code>%s</code>%s.%s"
        .formatted(
            escape(build.version()),
            escape(build.commit()),
            build.dirty() ? " with changes" : "",
            data);
  }

  private static String template() throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + TEMPLATE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String rgb(Color colour) {
    return "rgb(%d,%d,%d)".formatted(colour.getRed(), colour.getGreen(), colour.getBlue());
  }

  /** Escaped, with the legend's subscripts set as such. */
  private static String text(String text) {
    return escape(text)
        .replace("T_ex", "<i>T</i><sub>ex</sub>")
        .replace("T_tr", "<i>T</i><sub>tr</sub>");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
