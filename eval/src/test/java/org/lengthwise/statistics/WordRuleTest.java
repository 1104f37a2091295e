package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.statistics.WordRule.Word;

class WordRuleTest {
  private static final WordRule RULE = new WordRule(1.01);

  private static Estimate estimate(double mean, double pValue, double low, double high) {
    return new Estimate(mean, pValue, new Interval(low, high), 0.1, 0.1, 100, 100, 3);
  }

  private static List<Word> words(Estimate... family) {
    return RULE.of(List.of(family), 0.95);
  }

  /** Adjusted, the p-values are 0.03, 0.06, 0.06 and 0.02, although each is below 0.05. */
  @Test
  void wordsOfOneTableAreCorrectedTogether() {
    Estimate[] family =
        DoubleStream.of(0.01, 0.04, 0.03, 0.005)
            .mapToObj(pValue -> estimate(0.2, pValue, 0.1, 0.3))
            .toArray(Estimate[]::new);
    assertThat(words(family))
        .containsExactly(
            Word.HIGHER, Word.NOT_DISTINGUISHABLE, Word.NOT_DISTINGUISHABLE, Word.HIGHER);
    assertThat(words(family[1])).containsExactly(Word.HIGHER);
  }

  /** ln 1.01 = 0.00995. */
  @Test
  void aSmallDifferenceDoesNotMatter() {
    assertThat(words(estimate(0.009, 0, 0.008, 0.012))).containsExactly(Word.DOES_NOT_MATTER);
    assertThat(words(estimate(-0.011, 0, -0.02, -0.001))).containsExactly(Word.LOWER);
    assertThat(words(estimate(0.001, 0.7, -0.004, 0.006))).containsExactly(Word.DOES_NOT_MATTER);
  }

  @Test
  void aWideIntervalAroundZeroDoesNotShowThatADifferenceIsSmall() {
    assertThat(words(estimate(0.001, 0.9, -0.2, 0.2))).containsExactly(Word.NOT_DISTINGUISHABLE);
  }

  @Test
  void rejectsARatioBelowOne() {
    assertThatThrownBy(() -> new WordRule(0.9)).hasMessageContaining("smallest_ratio");
  }
}
