package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HolmTest {
  /** In rising order: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04, which is raised to 0.06. */
  @Test
  void theTextbookExampleHasItsAdjustedValues() {
    assertThat(Holm.adjusted(0.01, 0.04, 0.03, 0.005))
        .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
  }

  @Test
  void aSingleTestIsNotCorrected() {
    assertThat(Holm.adjusted(0.04)).containsExactly(0.04);
    assertThat(Holm.adjusted()).isEmpty();
  }

  @Test
  void noAdjustedValueExceedsOne() {
    assertThat(Holm.adjusted(0.6, 0.7)).containsExactly(1, 1);
  }
}
