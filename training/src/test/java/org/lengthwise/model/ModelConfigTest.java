package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.T5;

class ModelConfigTest {
  private static final int GPT2_VOCABULARY = 50257;

  @Test
  void oneBlockHasSevenMillionParameters() {
    ModelConfig config = new ModelConfig(12, 768, 12, GPT2_VOCABULARY, new Alibi());
    assertThat(config.numBlockParameters()).isEqualTo(7_087_872);
  }

  @Test
  void twelveBlocksMakeGpt2SmallWithoutPositions() {
    ModelConfig config = new ModelConfig(12, 768, 12, GPT2_VOCABULARY, new Alibi());
    assertThat(config.numParameters()).isEqualTo(123_653_376);
  }

  @Test
  void sixBlocksHaveEightyOneMillionParametersAndTheirBiases() {
    ModelConfig config = new ModelConfig(6, 768, 12, GPT2_VOCABULARY, new RegularGpt(128));
    assertThat(config.numParameters()).isEqualTo(81_126_144 + 6 * 12 * 128);
  }

  @Test
  void sharedPositionalParametersAreCountedOnce() {
    ModelConfig none = new ModelConfig(2, 8, 2, 10, new Alibi());
    assertThat(new ModelConfig(2, 8, 2, 10, new KerpleLog()).numParameters())
        .isEqualTo(none.numParameters() + 4);
    assertThat(new ModelConfig(2, 8, 2, 10, new T5(T5.Scale.ONE)).numParameters())
        .isEqualTo(none.numParameters() + 64);
  }

  @Test
  void depthFollowsTheLength() {
    ModelConfig config = new ModelConfig(6, 768, 12, GPT2_VOCABULARY, new RegularGpt(64));
    assertThat(config.executedLayers(512)).isEqualTo(12);
    assertThat(config.executedLayers(4096)).isEqualTo(12);
    assertThat(config.executedLayers(8192)).isEqualTo(18);
  }

  @Test
  void flopsCountExecutedBlocksAndTheOutputProjection() {
    ModelConfig config = new ModelConfig(12, 768, 12, GPT2_VOCABULARY, new Alibi());
    assertThat(config.flopsPerToken(1024))
        .isEqualTo(6 * (12 * 7_087_872.0 + 50257 * 768) + 12 * 12 * 768 * 1024.0);
  }

  @Test
  void impossibleShapesAreRejected() {
    assertThatThrownBy(() -> new ModelConfig(2, 10, 3, 10, new Alibi()))
        .hasMessageContaining("divisor of width 10");
    assertThatThrownBy(() -> new ModelConfig(2, 15, 3, 10, new Rope(10_000)))
        .hasMessageContaining("heads of an even width");
    assertThatThrownBy(() -> new ModelConfig(2, 15, 3, 10, new Sinusoidal()))
        .hasMessageContaining("width: expected an even width");
    assertThatThrownBy(() -> new ModelConfig(0, 12, 3, 10, new Alibi()))
        .hasMessageContaining("layers");
  }
}
