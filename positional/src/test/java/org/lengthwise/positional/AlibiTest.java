package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AlibiTest {

  @Test
  void slopesOfTwelveHeadsInterleaveThoseOfSixteen() {
    assertThat(Alibi.slopes(12))
        .containsExactly(
            new double[] {
              0.5,
              0.25,
              0.125,
              0.0625,
              0.03125,
              0.015625,
              0.0078125,
              0.00390625,
              0.70710678,
              0.35355339,
              0.17677670,
              0.08838835
            },
            within(1e-8));
  }

  @Test
  void slopesOfAPowerOfTwoAreAGeometricSeries() {
    assertThat(Alibi.slopes(4)).containsExactly(0.25, 0.0625, 0.015625, 0.00390625);
  }

  @Test
  void penaltyGrowsLinearlyWithDistance() {
    PositionalValues values = new PositionalValues(4, 1, Map.of());
    assertThat(new Alibi().bias(values, 0, 0, 8192, 8192)).isEqualTo(-2048);
    assertThat(new Alibi().bias(values, 3, 0, 9, 0)).isZero();
  }
}
