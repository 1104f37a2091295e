package org.lengthwise.training.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.lengthwise.training.config.OptimizerConfig;

class LearningRateScheduleTest {
  private static final LearningRateSchedule SCHEDULE =
      LearningRateSchedule.of(
          new OptimizerConfig(6e-4, 0.9, 0.95, 1e-8, 0.1, 1, 0.01, 0.1), 50_000);

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

  @Test
  void scheduleWithoutWarmUpBeginsAtThePeak() {
    assertThat(new LearningRateSchedule(1, 0.1, 0, 10).at(0)).isEqualTo(1);
  }
}
