package org.lengthwise.eval.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.eval.result.Protocol;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

class TargetDrawTest {

  private static EvaluationConfig config(Protocol protocol, int chunks, long seed) {
    return new EvaluationConfig(
        protocol, chunks, seed, List.of(PositionScaling.NONE), 64, Precision.FLOAT32, "cpu");
  }

  @Test
  void alignedTargetsAreTheSameAtEveryLength() {
    TargetDraw draw = new TargetDraw(10_000, 2048, config(Protocol.ALIGNED, 100, 7));
    assertThat(draw.targets(128))
        .isEqualTo(draw.targets(2048))
        .hasSize(100)
        .doesNotHaveDuplicates();
    assertThat(Arrays.stream(draw.targets(128)).boxed())
        .allMatch(target -> target >= 2047 && target < 10_000);
  }

  @Test
  void independentTargetsDifferAndUseTheRoomThatShortContextsLeave() {
    TargetDraw draw = new TargetDraw(4000, 2048, config(Protocol.INDEPENDENT, 1000, 7));
    assertThat(draw.targets(128)).isNotEqualTo(draw.targets(2048));
    assertThat(Arrays.stream(draw.targets(128)).boxed()).anyMatch(target -> target < 2047);
    assertThat(Arrays.stream(draw.targets(2048)).boxed())
        .allMatch(target -> target >= 2047 && target < 4000);
  }

  @Test
  void seedDecidesTheDraw() {
    TargetDraw draw = new TargetDraw(10_000, 512, config(Protocol.ALIGNED, 50, 7));
    assertThat(new TargetDraw(10_000, 512, config(Protocol.ALIGNED, 50, 7)).targets(512))
        .isEqualTo(draw.targets(512));
    assertThat(new TargetDraw(10_000, 512, config(Protocol.ALIGNED, 50, 8)).targets(512))
        .isNotEqualTo(draw.targets(512));
  }

  @Test
  void everyPossibleTargetCanBeDrawn() {
    TargetDraw draw = new TargetDraw(20, 11, config(Protocol.ALIGNED, 10, 7));
    assertThat(draw.targets(11)).containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  }

  @Test
  void splitTooShortForTheLongestContextIsBadData() {
    EvaluationConfig config = config(Protocol.ALIGNED, 11, 7);
    assertThatThrownBy(() -> new TargetDraw(20, 11, config))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 21 tokens")
        .hasMessageContaining("found 20 tokens");
  }
}
