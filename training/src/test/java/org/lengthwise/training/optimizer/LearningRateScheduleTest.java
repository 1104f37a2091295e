package org.lengthwise.training.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.lengthwise.training.config.OptimizerConfig;

class LearningRateScheduleTest {
  private static final LearningRateSchedule SCHEDULE =
      LearningRateSchedule.of(
          new OptimizerConfig(6e-4, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.01, 0.1), 50_000);

  @Test
  void rateRisesLinearlyToItsPeak() {
    assertThat(SCHEDULE.at(0)).isEqualTo(6e-4 / 500, within(1e-15));
    assertThat(SCHEDULE.at(249)).isEqualTo(3e-4, within(1e-15));
    assertThat(SCHEDULE.at(499)).isEqualTo(6e-4, within(1e-15));
  }

  @Test
  void rateFallsAsACosineToATenth() {
    assertThat(SCHEDULE.at(500)).isEqualTo(6e-4, within(1e-15));
    assertThat(SCHEDULE.at(25_250)).isEqualTo(3.3e-4, within(1e-12));
    assertThat(SCHEDULE.at(49_999)).isEqualTo(6e-5, within(1e-9));
  }

  /** Warm-up and cosine are close to straight lines in the mean: 0.5 and 0.55 of the peak. */
  @Test
  void sumOfTheRatesIsThatOfItsTwoParts() {
    assertThat(SCHEDULE.sum()).isCloseTo(6e-4 * (500 * 0.5 + 49_500 * 0.55), within(0.001));
    assertThat(new LearningRateSchedule(2e-3, 2e-4, 15, 300, 1, 1).sum())
        .isCloseTo(0.33, within(0.002));
  }

  @Test
  void scheduleWithoutWarmUpBeginsAtThePeak() {
    assertThat(new LearningRateSchedule(1, 0.1, 0, 10, 1, 1).at(0)).isEqualTo(1);
  }

  @Test
  void rateFallsByAFactorAfterEachEpoch() {
    LearningRateSchedule constant = new LearningRateSchedule(1e-3, 1e-3, 0, 100, 0.98, 10);
    assertThat(constant.at(9)).isEqualTo(1e-3);
    assertThat(constant.at(10)).isEqualTo(0.98e-3, within(1e-15));
    assertThat(constant.at(99)).isEqualTo(1e-3 * Math.pow(0.98, 9), within(1e-15));
  }

  /**
   * The rates of the warm-up are 1, 2, ..., 500 times 6e-4 / 500. Over the n = 49,500 steps of the
   * cosine its shares add to (n + 1) / 2.
   */
  @Test
  void theSumOfAllRatesIsThatOfTheClosedForm() {
    double warmup = 6e-4 * 501 / 2;
    double cosine = 49_500 * 6e-5 + (6e-4 - 6e-5) * 49_501 / 2;
    assertThat(SCHEDULE.sum()).isEqualTo(warmup + cosine, within(1e-9));
  }
}
