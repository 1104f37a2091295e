package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.statistics.Proportion;

class RecallVerdictTest {
  @ParameterizedTest
  @CsvSource({
    "false, 1, NOT_LEARNED",
    "true, 0.995, HOLDS",
    "true, 0.5, IN_PART",
    "true, 0.26, CHANCE",
    "true, 0.02, CHANCE"
  })
  void anAccuracyHasAVerdict(boolean isLearned, double accuracy, RecallVerdict verdict) {
    assertThat(
            RecallVerdict.of(isLearned, accuracy, Proportion.interval(accuracy, 200, 0.95), 0.25))
        .isEqualTo(verdict);
  }
}
