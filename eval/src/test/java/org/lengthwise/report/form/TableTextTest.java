package org.lengthwise.report.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTextTest {
  @Test
  void aTransposedTableHasColumnsAndFootAsRows() {
    TableText table =
        new TableText(
            "title",
            List.of("T_ex", "ALiBi", "T5"),
            List.of(
                TableText.line("512", List.of("1", "2")),
                TableText.line("1024", List.of("3", "4"))),
            List.of(TableText.line("seeds", List.of("5", "6"))),
            List.of(),
            "rrr");
    assertThat(MarkdownTable.of(List.of(table.transposed())))
        .contains(
            "| run | T_ex = 512 | T_ex = 1024 | seeds |",
            "| ALiBi | 1 | 3 | 5 |\n| T5 | 2 | 4 | 6 |");
  }
}
