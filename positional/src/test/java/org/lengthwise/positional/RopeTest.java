package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RopeTest {
  private static final Rope ROPE = new Rope(10_000);
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final double[] QUERY = {0.3, -1, 2, 0.7};
  private static final double[] KEY = {1.1, 0.4, -0.2, 0.9};

  private static double score(PositionalScheme scheme, long query, long key, long length) {
    double[] q = scheme.rotate(QUERY, query, length);
    double[] k = scheme.rotate(KEY, key, length);
    return q[0] * k[0] + q[1] * k[1] + q[2] * k[2] + q[3] * k[3];
  }

  private static double[] slowing(PositionScaling scaling, long length) {
    double[] plain = ROPE.frequencies(64, length);
    double[] scaled = new ScaledRope(ROPE, scaling, 512).frequencies(64, length);
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
  void halvesOfAHeadArePairsAndTheFirstTurnsByOneRadian() {
    double[] turned = ROPE.rotate(new double[] {1, 1, 0, 0}, 1, 8);
    assertThat(turned)
        .containsExactly(
            new double[] {Math.cos(1), Math.cos(0.01), Math.sin(1), Math.sin(0.01)}, CLOSE);
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
  void interpolationPressesEveryPositionIntoTheTrainingLength() {
    PositionalScheme scaled = ROPE.scaled(PositionScaling.INTERPOLATION, 512);
    assertThat(scaled.rotate(QUERY, 4000, 4096)).containsExactly(ROPE.rotate(QUERY, 500, 1), CLOSE);
  }

  @Test
  void ntkLeavesTheFastestPairAndInterpolatesTheSlowest() {
    double[] slowing = slowing(PositionScaling.NTK, 4096);
    assertThat(slowing[0]).isEqualTo(1);
    assertThat(slowing[31]).isEqualTo(1.0 / 8, CLOSE);
    assertThat(slowing[15]).isEqualTo(Math.pow(8, -30.0 / 62), CLOSE);
    assertThat(ROPE.scaled(PositionScaling.NTK, 8).rotate(new double[] {1, 0}, 3, 64))
        .containsExactly(new double[] {Math.cos(3), Math.sin(3)}, CLOSE);
  }

  @Test
  void yarnDecidesByTheTurnsThatTrainingSaw() {
    double[] slowing = slowing(PositionScaling.YARN, 4096);
    assertThat(slowing[0]).isEqualTo(1, CLOSE); // 81 turns within 512 positions
    assertThat(slowing[31]).isEqualTo(1.0 / 8, CLOSE); // less than one
    double turns = 512 * Math.pow(10_000, -2.0 * 8 / 64) / (2 * Math.PI); // 8.1
    double kept = (turns - 1) / 31;
    assertThat(slowing[8]).isEqualTo((1 - kept) / 8 + kept, CLOSE);
  }

  @Test
  void yarnStretchesScoresByTheSquareOfItsFactor() {
    Rotary yarn = new ScaledRope(ROPE, PositionScaling.YARN, 512);
    assertThat(yarn.stretch(4096)).isEqualTo(0.1 * Math.log(8) + 1, CLOSE);
    assertThat(score(yarn, 9, 9, 4096))
        .isEqualTo(score(ROPE, 0, 0, 1) * Math.pow(yarn.stretch(4096), 2), CLOSE);
  }

  @Test
  void schemesWithoutRotationsRefuseToBeScaled() {
    assertThat(new Alibi().scaled(PositionScaling.NONE, 512)).isEqualTo(new Alibi());
    assertThatThrownBy(() -> new Alibi().scaled(PositionScaling.NTK, 512))
        .hasMessageContaining("alibi has no rotations");
  }
}
