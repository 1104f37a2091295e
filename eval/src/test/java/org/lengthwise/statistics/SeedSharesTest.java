package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedSharesTest {

  private static Interval interval(long trials, Double... shares) {
    return new SeedShares(List.of(shares), trials).interval(0.95);
  }

  /** Deviations of -0.1, 0 and 0.1: the standard error is 0.1 / sqrt(3), and t is 4.302653. */
  @Test
  void seedsThatDifferHaveStudentsInterval() {
    Interval interval = interval(200, 0.4, 0.5, 0.6);
    assertThat(interval.low()).isCloseTo(0.5 - 0.248414, within(1e-6));
    assertThat(interval.high()).isCloseTo(0.5 + 0.248414, within(1e-6));
  }

  /** Two seeds 0.2 apart: the standard error is 0.1, and t is 12.706205. */
  @Test
  void intervalsAreCutAtZeroAndOne() {
    assertThat(interval(200, 0.0, 0.2)).isEqualTo(new Interval(0, 1));
    assertThat(interval(200, 0.001, 0.003).low()).isZero();
    assertThat(interval(200, 0.001, 0.003).high()).isCloseTo(0.002 + 0.012706, within(1e-6));
  }

  /** z squared is 3.841459: z² / (200 + z²) is 0.018845. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0.018845", "1, 0.981155, 1"})
  void equalSeedsHaveWilsonsIntervalOfTheirTrials(double share, double low, double high) {
    Interval interval = interval(200, share, share, share);
    assertThat(interval.low()).isCloseTo(low, within(1e-6));
    assertThat(interval.high()).isCloseTo(high, within(1e-6));
  }

  @Test
  void aSingleSeedHasWilsonsInterval() {
    assertThat(interval(20, 0.5)).isEqualTo(new Proportion(10, 20).interval(0.95));
  }

  @Test
  void impossibleSharesAreRejected() {
    assertThatThrownBy(() -> new SeedShares(List.of(), 5)).hasMessageContaining("seeds");
    assertThatThrownBy(() -> new SeedShares(List.of(1.1), 5)).hasMessageContaining("share");
  }
}
