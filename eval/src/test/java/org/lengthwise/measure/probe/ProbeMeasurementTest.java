package org.lengthwise.measure.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProbeMeasurementTest {
  @Test
  void aKeyIsChosenIfItAloneIsTheMostProbable() {
    assertThat(ProbeMeasurement.isChosen(new double[] {1, 1.5, 2})).isTrue();
    assertThat(ProbeMeasurement.isChosen(new double[] {1, 1.5, 0.5})).isFalse();
    assertThat(ProbeMeasurement.isChosen(new double[] {1, 2, 1})).isFalse();
  }
}
