package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RopeTest {
  private static final Rope ROPE = new Rope(10_000);
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final Offset<Double> ROUNDED = within(0.005);
  private static final double[] QUERY = {0.3, -1, 2, 0.7};
  private static final double[] KEY = {1.1, 0.4, -0.2, 0.9};

  private static double score(PositionalScheme scheme, long query, long key, long length) {
    double[] q = scheme.rotate(QUERY, query, length);
    double[] k = scheme.rotate(KEY, key, length);
    return q[0] * k[0] + q[1] * k[1] + q[2] * k[2] + q[3] * k[3];
  }

  private static double[] slowing(PositionScaling scaling, long length) {
    return slowing(new ScaledRope(ROPE, scaling, 512), 64, length);
  }

  /** The frequency of each pair divided by its frequency without scaling. */
  private static double[] slowing(ScaledRope rope, int headWidth, long length) {
    double[] plain = rope.rope().frequencies(headWidth, length);
    double[] scaled = rope.frequencies(headWidth, length);
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] /= plain[i];
    }
    return scaled;
  }

  @Test
  void scoresDependOnTheDistanceAlone() {
    assertThat(score(ROPE, 117, 100, 128)).isEqualTo(score(ROPE, 17, 0, 128), CLOSE);
    assertThat(score(ROPE, 117, 101, 128)).isNotCloseTo(score(ROPE, 117, 100, 128), within(1e-3));
  }

  @Test
  void pairsAreTheHalvesOfAHeadAndTheFirstRotatesByOneRadian() {
    double[] rotated = ROPE.rotate(new double[] {1, 1, 0, 0}, 1, 8);
    assertThat(rotated)
        .containsExactly(
            new double[] {Math.cos(1), Math.cos(0.01), Math.sin(1), Math.sin(0.01)}, CLOSE);
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERPOLATION", "NTK", "YARN"})
  void resultsAreKeptUntilRotationsDependOnTheLength(PositionScaling scaling) {
    PositionalScheme scaled = ROPE.scaled(scaling, 512);
    assertThat(LongStream.range(1, 2_000).filter(scaled::keepsResults)).hasSize(511);
    assertThat(scaled.keepsResults(511)).isTrue();
    assertThat(ROPE.keepsResults(512)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERPOLATION", "NTK", "YARN"})
  void nothingIsScaledUpToTheTrainingLength(PositionScaling scaling) {
    PositionalScheme scaled = ROPE.scaled(scaling, 512);
    assertThat(scaled.rotate(QUERY, 500, 512)).containsExactly(ROPE.rotate(QUERY, 500, 512), CLOSE);
    assertThat(scaled.rotate(QUERY, 500, 513)).isNotEqualTo(ROPE.rotate(QUERY, 500, 513));
    assertThat(scaled.label()).isEqualTo("rope-" + scaling.label());
  }

  @Test
  void interpolationCompressesAllPositionsIntoTheTrainingLength() {
    PositionalScheme scaled = ROPE.scaled(PositionScaling.INTERPOLATION, 512);
    assertThat(scaled.rotate(QUERY, 4000, 4096)).containsExactly(ROPE.rotate(QUERY, 500, 1), CLOSE);
  }

  @Test
  void ntkKeepsTheFastestPairAndInterpolatesTheSlowest() {
    double[] slowing = slowing(PositionScaling.NTK, 4096);
    assertThat(slowing[0]).isEqualTo(1);
    assertThat(slowing[31]).isEqualTo(1.0 / 8, CLOSE);
    assertThat(slowing[15]).isEqualTo(Math.pow(8, -30.0 / 62), CLOSE);
    assertThat(ROPE.scaled(PositionScaling.NTK, 8).rotate(new double[] {1, 0}, 3, 64))
        .containsExactly(new double[] {Math.cos(3), Math.sin(3)}, CLOSE);
  }

  /** The numbers are those of the code that YaRN's authors released. */
  @Test
  void yarnScalesPairsAsTheReleasedCodeDoes() {
    double[] wide = slowing(PositionScaling.YARN, 16 * 512);
    assertThat(wide[0]).isEqualTo(1);
    assertThat(wide[3]).isEqualTo(1);
    assertThat(Arrays.copyOfRange(wide, 4, 11))
        .containsExactly(new double[] {0.93, 0.86, 0.78, 0.71, 0.64, 0.57, 0.50}, ROUNDED);
    assertThat(wide[31]).isEqualTo(1.0 / 16, CLOSE);
    ScaledRope narrow = new ScaledRope(ROPE, PositionScaling.YARN, 128);
    assertThat(Arrays.copyOf(slowing(narrow, 32, 16 * 128), 4))
        .as("a head of width 32, trained at 128")
        .containsExactly(new double[] {1, 0.84, 0.69, 0.53}, ROUNDED);
  }

  @Test
  void yarnKeepsTheFastestPairAndInterpolatesAllOthersIfItsBoundsAreOnePair() {
    for (int trainLength : new int[] {2, 6}) { // no pair rotates once
      ScaledRope rope = new ScaledRope(ROPE, PositionScaling.YARN, trainLength);
      assertThat(slowing(rope, 8, 8L * trainLength))
          .containsExactly(new double[] {1, 0.125, 0.125, 0.125}, CLOSE);
    }
  }

  @Test
  void yarnMultipliesScoresByTheSquareOfItsFactor() {
    Rotary yarn = new ScaledRope(ROPE, PositionScaling.YARN, 512);
    assertThat(yarn.stretch(4096)).isEqualTo(0.1 * Math.log(8) + 1, CLOSE);
    assertThat(score(yarn, 9, 9, 4096))
        .isEqualTo(score(ROPE, 0, 0, 1) * Math.pow(yarn.stretch(4096), 2), CLOSE);
  }

  @Test
  void schemesWithoutRotationsCannotBeScaled() {
    assertThat(new Alibi().scaled(PositionScaling.NONE, 512)).isEqualTo(new Alibi());
    assertThatThrownBy(() -> new Alibi().scaled(PositionScaling.NTK, 512))
        .hasMessageContaining("alibi has no rotations");
  }
}
