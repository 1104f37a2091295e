package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;

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

  /** MPT computes the slopes of the next power of two, and takes every second one first. */
  private static List<Double> slopesOfMpt(int heads, double maxBias) {
    int n = 1;
    while (n < heads) {
      n *= 2;
    }
    List<Double> even = new ArrayList<>();
    List<Double> odd = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    for (int i = 1; i <= n; i++) {
      double slope = 1 / Math.pow(2, i * maxBias / n);
      (i % 2 == 0 ? even : odd).add(slope);
      all.add(slope);
    }
    even.addAll(odd);
    return n == heads ? all : even.subList(0, heads);
  }

  private static double[] slopes(Alibi scheme, int heads) {
    PositionalValues values = new PositionalValues(heads, 1, Map.of());
    return IntStream.range(0, heads).mapToDouble(h -> -scheme.bias(values, h, 1)).toArray();
  }

  @Test
  void slopesOfEveryNumberOfHeadsAreThoseOfMpt() {
    for (double maxBias : new double[] {8, 16, 5.5}) {
      for (int heads = 1; heads <= 40; heads++) {
        double[] expected =
            slopesOfMpt(heads, maxBias).stream().mapToDouble(Double::doubleValue).toArray();
        assertThat(slopes(new Alibi(maxBias), heads))
            .as("%d heads, maximum %s", heads, maxBias)
            .containsExactly(expected, within(1e-15));
      }
    }
  }

  @Test
  void aLargerMaximumMakesTheSmallestSlopeSmaller() {
    assertThat(slopes(new Alibi(16), 4))
        .containsExactly(1 / 16.0, 1 / 256.0, 1 / 4096.0, 1 / 65536.0);
    assertThatThrownBy(() -> new Alibi(0)).hasMessageContaining("max_bias: expected a number");
  }

  @Test
  void anAbsentMaximumIsEight() throws IOException {
    assertThat(
            ConfigLoader.strictMapper().readValue("{\"scheme\":\"alibi\"}", PositionalScheme.class))
        .isEqualTo(new Alibi(8));
  }
}
