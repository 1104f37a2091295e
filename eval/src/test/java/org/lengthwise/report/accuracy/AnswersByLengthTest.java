package org.lengthwise.report.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.Samples;

/** Three seeds of two runs that answer the same 200 questions of each length. */
class AnswersByLengthTest {
  private final List<AccuracyResult> results = new ArrayList<>();

  private void add(String run, long seed, int length, long errors, long wrongTokens) {
    AccuracyResult result =
        AccuracyResult.of(
            AccuracyResult.ANSWERS,
            Samples.checkpoint(run, seed),
            new Strings(
                "sort", JsonNodeFactory.instance.objectNode(), Drawn.TEST, length, 200, null),
            new Share("strings", 200 - errors, 200),
            new Share("tokens", 200L * (length + 1) - wrongTokens, 200L * (length + 1)));
    results.add(result);
  }

  private String markdown() {
    return MarkdownTable.of(new AccuracyTable(0.95).ofAll(AccuracyMean.of(results)));
  }

  /**
   * Of 200 answers 80, 100 and 120 are right, with a standard error of 0.1 / sqrt(3); t is 4.3027.
   * Of 1,200 tokens 120, 60 and 0 are wrong, with a standard error of 0.05 / sqrt(3).
   */
  @Test
  void seedsThatDifferHaveStudentsInterval() {
    add("alibi", 1, 5, 120, 120);
    add("alibi", 2, 5, 100, 60);
    add("alibi", 3, 5, 80, 0);

    assertThat(markdown())
        .contains(
            "Right answers by length in %, sort",
            "| tokens in x | ALiBi |",
            "| 5 | 50.00 [25.16, 74.84] |",
            "| 5 | 95.00 [82.58, 100.00] |",
            "Student's t over seeds, with 95 %, cut at 0 and 100.");
  }

  /** With z² = 3.8415 the upper end is z² / (200 + z²): the questions of all seeds are the same. */
  @Test
  void equalSeedsHaveWilsonsIntervalOfTheQuestions() {
    for (long seed = 1; seed <= 3; seed++) {
      add("alibi", seed, 40, 200, 8200);
      add("t5", seed, 40, 0, 0);
    }
    add("t5", 1, 45, 200, 9200);

    assertThat(markdown())
        .contains(
            "| tokens in x | T5 | ALiBi |",
            "| 40 | 100.00 [98.12, 100.00] | 0.00 [0.00, 1.88] |",
            "| 45 | 0.00 [0.00, 1.88] | – |");
  }
}
