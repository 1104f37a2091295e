package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProportionTest {
  /** The ends solve (share - p)^2 = z^2 p (1 - p) / trials, the definition of Wilson's interval. */
  @ParameterizedTest
  @CsvSource({"0, 10", "10, 10", "5, 10", "1, 512", "511, 512", "117504, 235008"})
  void endsSolveTheEquationOfTheScoreTest(long successes, long trials) {
    Proportion proportion = new Proportion(successes, trials);
    Interval interval = proportion.interval(0.95);
    double z = 1.959963984540054;
    for (double end : new double[] {interval.low(), interval.high()}) {
      double square = Math.pow(proportion.share() - end, 2);
      assertThat(square).isCloseTo(z * z * end * (1 - end) / trials, within(1e-12));
    }
    assertThat(interval.contains(proportion.share())).isTrue();
    assertThat(interval.high() - interval.low()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100.00",
    "0.9999999, 99.99",
    "0.99994, 99.99",
    "0.99986, 99.99",
    "0.74494, 74.49"
  })
  void oneHundredPerCentMeansNoError(double share, String percent) {
    assertThat(Proportion.percent(share)).isEqualTo(percent);
  }
}
