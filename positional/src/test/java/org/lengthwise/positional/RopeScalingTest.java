package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The frequencies of published scalings. The lists of numbers are those of a program in numpy. */
class RopeScalingTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  /** The lists have nine digits. */
  private static final Offset<Double> LISTED = within(6e-10);

  private static final RopeScaling.LongRope LONG_ROPE =
      new RopeScaling.LongRope(
          List.of(1.0, 1.0, 1.1, 1.2), List.of(1.0, 1.5, 3.0, 4.0), 32, 1.1832159566199232);

  private static double[] frequencies(
      double base, int headWidth, RopeScaling scaling, long length) {
    return new Rope(base, 1, scaling, null).frequencies(headWidth, length);
  }

  @Test
  void linearDividesEveryFrequency() {
    assertThat(frequencies(10_000, 8, new RopeScaling.Linear(4), 99))
        .containsExactly(new double[] {0.25, 0.025, 0.0025, 0.00025}, CLOSE);
  }

  @Test
  void dynamicRaisesTheBaseBeyondItsLimit() {
    RopeScaling dynamic = new RopeScaling.Dynamic(2, 32);
    for (int length : new int[] {1, 32}) {
      assertThat(frequencies(10_000, 8, dynamic, length))
          .containsExactly(new double[] {1, 0.1, 0.01, 0.001}, CLOSE);
    }
    assertThat(frequencies(10_000, 8, dynamic, 48))
        .containsExactly(new double[] {1, 0.0793700526, 0.00629960525, 0.0005}, LISTED);
    double base = 10_000 * Math.pow(2 * 80 / 32.0 - 1, 16 / 14.0);
    assertThat(frequencies(10_000, 16, dynamic, 80))
        .containsExactly(frequencies(base, 16, RopeScaling.none(), 80), CLOSE);
    assertThat(frequencies(10_000, 2, dynamic, 480)).as("R = 2 keeps the base").containsExactly(1);
  }

  @Test
  void yarnDividesSlowPairsAndKeepsFastOnes() {
    assertThat(frequencies(10_000, 16, new RopeScaling.Yarn(4, 32), 7))
        .containsExactly(
            new double[] {
              1, 0.197642354, 0.025, 0.00790569415, 0.0025, 0.000790569415, 0.00025, 0.0000790569415
            },
            LISTED);
    assertThat(frequencies(10_000, 16, new RopeScaling.Yarn(4, 2048, 20, 2, 1.13862944, false), 7))
        .as("its bounds are not rounded")
        .containsExactly(
            new double[] {
              1,
              0.316227766,
              0.1,
              0.024795105,
              0.00409090066,
              0.000790569415,
              0.00025,
              0.0000790569415
            },
            LISTED);
  }

  @Test
  void llama3ChangesPairsByTheirRotationsWithinTheOriginalLength() {
    assertThat(frequencies(500_000, 16, new RopeScaling.Llama3(8, 1, 4, 8192), 7))
        .containsExactly(
            new double[] {
              1,
              0.193922745,
              0.0376060309,
              0.00729266474,
              0.000524846161,
              0.000034281022,
              0.00000664786987,
              0.00000128917317
            },
            LISTED);
    // Pair 1 of base 100 and R = 4 has f = 0.1. Within o = 20 pi / 0.1 / 10 = 63 positions it makes
    // 1.0027 rotations, 0.0009 of the way from 1 to 4.
    double kept = (63 * 0.1 / (2 * Math.PI) - 1) / 3;
    assertThat(frequencies(100, 4, new RopeScaling.Llama3(8, 1, 4, 63), 7)[1])
        .isEqualTo(0.1 * (kept + (1 - kept) / 8), CLOSE);
  }

  @Test
  void longRopeHasTwoListsOfDivisors() {
    assertThat(frequencies(10_000, 8, LONG_ROPE, 32))
        .containsExactly(new double[] {1, 0.1, 0.01 / 1.1, 0.001 / 1.2}, CLOSE);
    assertThat(frequencies(10_000, 8, LONG_ROPE, 33))
        .containsExactly(new double[] {1, 0.1 / 1.5, 0.01 / 3, 0.001 / 4}, CLOSE);
  }

  @Test
  void rotatedNumbersAreMultipliedByTheAttentionFactor() {
    assertThat(new RopeScaling.Yarn(4, 32).stretch()).isEqualTo(1.138629436111989, CLOSE);
    assertThat(new RopeScaling.Yarn(4, 32, 32, 1, 0.5, true).stretch()).isEqualTo(0.5);
    assertThat(LONG_ROPE.stretch()).isEqualTo(1.1832159566199232);
    assertThat(new RopeScaling.Linear(4).stretch()).isEqualTo(1);
    double[] half =
        new Rope(100, 0.5, new RopeScaling.Yarn(4, 32, 32, 1, 3, true), null)
            .rotate(new double[] {1, 2, 3, 4}, 0, 9);
    assertThat(half).containsExactly(new double[] {3, 6, 3, 4}, CLOSE);
  }

  static Stream<RopeScaling> all() {
    return Stream.of(
        RopeScaling.none(),
        new RopeScaling.Linear(4),
        new RopeScaling.Dynamic(2, 32),
        new RopeScaling.Yarn(4, 32),
        new RopeScaling.Llama3(8, 1, 4, 64),
        LONG_ROPE);
  }

  /** The answers of the scheme agree with its frequencies. */
  @ParameterizedTest
  @MethodSource("all")
  void resultsAreKeptWhereFrequenciesAre(RopeScaling scaling) {
    Rope rope = new Rope(10_000, 1, scaling, null);
    List<Long> changes =
        LongStream.range(1, 50)
            .filter(
                length ->
                    !Arrays.equals(rope.frequencies(8, length), rope.frequencies(8, length + 1)))
            .boxed()
            .toList();
    assertThat(
            LongStream.range(1, 50)
                .filter(length -> !rope.lengths().keepsResults().test(length))
                .boxed())
        .isEqualTo(changes);
    assertThat(rope.attendsByDistance()).isEqualTo(changes.isEmpty());
  }

  @Test
  void numbersThatAreNoScalingAreRejected() {
    assertThatThrownBy(() -> new RopeScaling.Linear(0)).hasMessageContaining("factor: expected");
    assertThatThrownBy(() -> new RopeScaling.Dynamic(2, 0)).hasMessageContaining("limit: expected");
    assertThatThrownBy(() -> new RopeScaling.Yarn(4, 32, 1, 32, 1, true))
        .hasMessageContaining("beta_fast: expected a number of at least beta_slow, found 1.0");
    assertThatThrownBy(() -> new RopeScaling.Llama3(8, 4, 1, 64))
        .hasMessageContaining("high_factor: expected a number above low_factor, found 1.0");
    assertThatThrownBy(() -> new RopeScaling.LongRope(List.of(0.0), List.of(1.0), 32, 1))
        .hasMessageContaining("short_factors: expected a number above 0, found 0.0");
    assertThatThrownBy(() -> new Rope(100, 0.5, LONG_ROPE, null).requireShape(2, 8, 16))
        .hasMessageContaining("a number for each of the 2 rotated pairs of a head, found 4");
  }
}
