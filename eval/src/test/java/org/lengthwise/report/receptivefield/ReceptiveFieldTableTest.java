package org.lengthwise.report.receptivefield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.Located;
import org.lengthwise.result.ReceptiveFieldResult;
import org.lengthwise.result.Samples;

class ReceptiveFieldTableTest {
  @Test
  void receptiveFieldsAreAveragedOverSeeds() {
    List<ReceptiveFieldResult> results =
        List.of(
            Samples.receptiveField("alibi", 1, 256, 10, 100),
            Samples.receptiveField("alibi", 2, 256, 12, 100),
            Samples.receptiveField("alibi", 1, 64, 10, 100));
    List<TableText> tables = ReceptiveFieldTable.of(results);
    assertThat(tables)
        .extracting(TableText::title)
        .containsExactly(
            "Effective receptive field over 64 tokens",
            "Effective receptive field over 256 tokens");
    // ln(100) * 10 and 12 tokens hold 99 %, both rounded up. All samples are equal.
    assertThat(tables.get(1).rows().get(0))
        .extracting(TableText.Entry::spelled)
        .startsWith("ALiBi", "8 (8–8)", "26 (26–26)", "52 (52–52)")
        .endsWith("256", "2");
    assertThat(ReceptiveFieldTable.csv(results).lines())
        .hasSize(1 + 3 * 6)
        .contains("alibi,alibi,2,256,2,trained,0.99,56,56,56,256");
  }

  @Test
  void twoReceptiveFieldsOfOneSeedAreRejected() {
    assertThatThrownBy(
            () ->
                ReceptiveFieldPart.of(
                    Stream.of(10, 11)
                        .map(field -> Samples.receptiveField("alibi", 1, 64, field, 100))
                        .map(result -> new Located<>(Path.of("fields.jsonl"), 1, result))
                        .toList()))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("one result for each run, seed and length");
  }
}
