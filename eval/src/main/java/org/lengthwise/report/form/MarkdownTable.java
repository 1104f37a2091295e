package org.lengthwise.report.form;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code table.md}: the tables for a terminal or a repository page. */
public final class MarkdownTable {
  private MarkdownTable() {}

  public static String of(List<TableText> tables) {
    return tables.stream().map(MarkdownTable::table).collect(Collectors.joining("\n"));
  }

  private static String table(TableText table) {
    StringBuilder text = new StringBuilder("## " + table.title() + "\n\n");
    text.append(line(table.header()));
    text.append(line(table.alignment().chars().mapToObj(MarkdownTable::rule).toList()));
    Stream.concat(table.rows().stream(), table.foot().stream())
        .forEach(row -> text.append(line(row.stream().map(TableText.Entry::spelled).toList())));
    return text.append('\n').append(String.join(" ", table.caption())).append('\n').toString();
  }

  private static String rule(int alignment) {
    return alignment == 'l' ? ":---" : "---:";
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
