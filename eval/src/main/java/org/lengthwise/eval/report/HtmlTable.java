package org.lengthwise.eval.report;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A table as HTML, with caption and headers that readers of screens are told. */
final class HtmlTable {
  /** What follows a mean in brackets. */
  private static final Pattern INTERVAL = Pattern.compile("(.*\\d) (\\[.*])");

  /** What follows a number of tokens in brackets: below it, nine columns fit a page. */
  private static final Pattern TOKENS = Pattern.compile("([\\d,]+) \\(([\\d,–]+)\\)");

  private HtmlTable() {}

  /** The table and, below it, the sentences of its caption. */
  static String of(TableText table) {
    StringBuilder html = new StringBuilder("<div class=\"wide\" tabindex=\"0\" role=\"region\"");
    html.append(" aria-label=\"").append(HtmlText.escape(table.title())).append("\">\n<table>\n");
    html.append("<caption>").append(HtmlText.prose(table.title())).append("</caption>\n");
    html.append("<thead><tr>");
    for (int i = 0; i < table.header().size(); i++) {
      String heading = HtmlText.prose(table.header().get(i));
      html.append("<th scope=\"col\"%s>%s</th>".formatted(words(table, i), heading));
    }
    html.append("</tr></thead>\n<tbody>\n");
    table.rows().forEach(row -> html.append(row(table, row)));
    html.append("</tbody>\n");
    if (!table.foot().isEmpty()) {
      html.append("<tfoot>\n");
      table.foot().forEach(row -> html.append(row(table, row)));
      html.append("</tfoot>\n");
    }
    html.append("</table>\n</div>\n");
    table.caption().forEach(sentence -> html.append(HtmlText.note(sentence)));
    return html.toString();
  }

  private static String row(TableText table, List<TableText.Entry> entries) {
    StringBuilder html = new StringBuilder("<tr><th scope=\"row\">");
    html.append(HtmlText.prose(entries.get(0).text())).append("</th>");
    for (int i = 1; i < entries.size(); i++) {
      html.append("<td%s>%s</td>".formatted(words(table, i), cell(entries.get(i))));
    }
    return html.append("</tr>\n").toString();
  }

  private static String words(TableText table, int column) {
    return table.alignment().charAt(column) == 'l' ? " class=\"words\"" : "";
  }

  private static String cell(TableText.Entry entry) {
    Matcher interval = INTERVAL.matcher(entry.text());
    String text =
        interval.matches()
            ? "%s<span class=\"interval\">%s</span>"
                .formatted(HtmlText.prose(interval.group(1)), HtmlText.prose(interval.group(2)))
            : HtmlText.prose(entry.text());
    text = TOKENS.matcher(text).replaceFirst("$1<small>$2</small>");
    if (entry.text().equals(StatisticsText.NOT_DISTINGUISHABLE)) {
      text = "<span class=\"same\">" + text + "</span>";
    }
    return entry.paper().isEmpty()
        ? text
        : text + "<small>paper " + HtmlText.prose(entry.paper()) + "</small>";
  }
}
