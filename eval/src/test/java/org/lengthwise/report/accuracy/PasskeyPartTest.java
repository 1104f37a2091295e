package org.lengthwise.report.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.Section;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.EvaluatedCheckpoint;

/** Invented choices of one model among ten keys, 100 at each of eleven depths of T_tr. */
class PasskeyPartTest {
  private static String table(int... right) {
    EvaluatedCheckpoint model =
        new EvaluatedCheckpoint(
            "rope", "rope", 1, "runs", 10, 64, new EvaluatedCheckpoint.Model("bytes", 1, 64));
    List<AccuracyResult> results =
        IntStream.range(0, right.length)
            .mapToObj(
                i ->
                    AccuracyResult.of(
                            AccuracyResult.PASSKEY,
                            model,
                            new Strings(
                                "text",
                                JsonNodeFactory.instance.objectNode().put("depth", i / 10.0),
                                Drawn.TEST,
                                64,
                                100,
                                7L),
                            new Share("choice", right[i], 100, 0.1),
                            new Share("exact", 0, 100),
                            new Share("control", 10, 100, 0.1))
                        .with(List.of(), Map.of("gain", 0.0)))
            .toList();
    Section section = new PasskeyPart(results, 0.95).sections(new Looks(List.of("rope"))).get(0);
    return MarkdownTable.of(section.tables().toList());
  }

  @Test
  void aGuessIsNotAbleBecauseOfManyDepths() {
    assertThat(table(10, 12, 8, 16, 4, 10, 9, 11, 10, 13, 3)).contains("| cannot do it in range |");
    assertThat(table(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).contains("| cannot do it in range |");
    assertThat(table(10, 12, 8, 30, 4, 10, 9, 11, 10, 13, 3))
        .doesNotContain("| cannot do it in range |");
  }
}
