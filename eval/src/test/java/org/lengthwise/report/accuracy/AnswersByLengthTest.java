package org.lengthwise.report.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.AnswerTokens;
import org.lengthwise.result.AccuracyResult.Draw;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.Located;
import org.lengthwise.result.Samples;

/** Three seeds of two runs that answer the same 200 questions of each length. */
class AnswersByLengthTest {
  private final List<Located<AccuracyResult>> results = new ArrayList<>();

  private void add(String run, long seed, int length, long errors, long wrongTokens) {
    AccuracyResult result =
        AccuracyResult.ofAnswers(
            Samples.checkpoint(run, seed),
            new Strings("sort", Draw.ANSWERS, length, 200, null, List.of(), List.of()),
            errors,
            new AnswerTokens(200L * (length + 1), wrongTokens));
    results.add(new Located<>(Path.of("accuracy.jsonl"), results.size() + 1, result));
  }

  private String markdown() {
    return MarkdownTable.of(AnswersByLength.of(AccuracyMean.of(results), 0.95));
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
