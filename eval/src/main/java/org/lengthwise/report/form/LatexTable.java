package org.lengthwise.report.form;

import java.util.List;
import java.util.stream.Collectors;

/** {@code table.tex}: the tables as floats for a paper that loads booktabs. */
public final class LatexTable {
  private LatexTable() {}

  public static String of(List<TableText> tables) {
    return tables.stream()
        .map(LatexTable::table)
        .collect(Collectors.joining("\n", "% \\usepackage{booktabs}\n", ""));
  }

  private static String table(TableText table) {
    StringBuilder text = new StringBuilder("\\begin{table}\n  \\centering\n");
    text.append("  \\begin{tabular}{").append(table.alignment()).append("}\n");
    text.append("    \\toprule\n").append(line(table.header())).append("    \\midrule\n");
    table.rows().forEach(row -> text.append(row(row)));
    if (!table.foot().isEmpty()) {
      text.append("    \\midrule\n");
      table.foot().forEach(row -> text.append(row(row)));
    }
    text.append("    \\bottomrule\n  \\end{tabular}\n  \\caption{")
        .append(escape(table.title() + ". " + String.join(" ", table.caption())))
        .append("}\n\\end{table}\n");
    return text.toString();
  }

  private static String row(List<TableText.Entry> row) {
    return line(row.stream().map(TableText.Entry::spelled).toList());
  }

  private static String line(List<String> cells) {
    return cells.stream()
        .map(LatexTable::escape)
        .collect(Collectors.joining(" & ", "    ", " \\\\\n"));
  }

  private static String escape(String text) {
    return text.replace("%", "\\%")
        .replace("&", "\\&")
        .replace("#", "\\#")
        .replace("_", "\\_")
        .replace("T\\_ex", "$T_{\\mathrm{ex}}$")
        .replace("T\\_tr", "$T_{\\mathrm{tr}}$")
        .replace("±", "$\\pm$")
        .replace("×", "$\\times$")
        .replace("\u2212", "$-$")
        .replace("∞", "$\\infty$")
        .replace("–", "--");
  }
}
