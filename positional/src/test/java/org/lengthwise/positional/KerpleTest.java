package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KerpleTest {

  private static PositionalValues values(double p, double a) {
    return new PositionalValues(1, 1, Map.of("p", new double[] {p}, "a", new double[] {a}));
  }

  @Test
  void logarithmicPenaltyFollowsItsFormula() {
    assertThat(new KerpleLog().bias(values(1.5, 0.5), 0, 0, 100, 100))
        .isEqualTo(-1.5 * Math.log(51), within(1e-12));
  }

  @Test
  void powerPenaltyFollowsItsFormula() {
    assertThat(new KerplePower().bias(values(0.5, 2), 0, 0, 100, 100))
        .isEqualTo(-20, within(1e-12));
  }

  @Test
  void parametersBelowTheirBoundsAreRaisedBeforeUse() {
    assertThat(new KerpleLog().bias(values(-3, 0), 0, 0, 100, 100))
        .isEqualTo(-0.01 * Math.log(2), within(1e-12));
    assertThat(new KerplePower().bias(values(0, -1), 0, 0, 100, 100))
        .isEqualTo(-0.01 * Math.pow(100, 0.01), within(1e-12));
  }

  @Test
  void exponentAboveTwoIsLowered() {
    assertThat(new KerplePower().bias(values(5, 1), 0, 0, 10, 10)).isEqualTo(-100, within(1e-9));
  }
}
