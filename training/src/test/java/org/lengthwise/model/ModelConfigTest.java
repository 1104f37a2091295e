package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.Linear.Member;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.T5;

class ModelConfigTest {
  private static final int GPT2_VOCABULARY = 50257;

  /** A block of width 8 but for c_attn. */
  private static final int WITHOUT_QKV = 16 + (8 + 1) * 8 + 16 + (8 + 1) * 32 + (32 + 1) * 8;

  @Test
  void oneBlockHasSevenMillionParameters() {
    ModelConfig config = new ModelConfig(12, 768, 12, GPT2_VOCABULARY, new Alibi());
    assertThat(config.numBlockParameters(0)).isEqualTo(7_087_872);
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

  @ParameterizedTest
  @MethodSource("models")
  void parametersAreTheNumbersOfAllTensors(ModelConfig config) {
    long all = numbersOfAllTensors(config);
    assertThat(config.numParameters()).isEqualTo(all);
    assertThat(all - config.numPositionalParameters())
        .isEqualTo(config.with(new NoPosition()).numParameters());
  }

  private static long numbersOfAllTensors(ModelConfig config) {
    return ParameterLayout.of(config).stream().mapToLong(ParameterSpec::size).sum();
  }

  static Stream<ModelConfig> models() {
    DecoderForm string =
        new DecoderForm(
            DecoderForm.Norm.POST,
            DecoderForm.Activation.RELU,
            false,
            DecoderForm.EmbeddingScale.SQRT_WIDTH,
            DecoderForm.Initial.FAN_IN,
            true);
    RegularGpt padded = new RegularGpt(3, RegularGpt.Edge.PAD);
    return Stream.of(
        new ModelConfig(3, 8, 2, 10, padded),
        new ModelConfig(3, 8, 2, 10, new Learned(16)),
        new ModelConfig(3, 8, 2, 10, new T5(T5.Scale.ONE)).with(new BlockRecurrence(4, 4, 2)),
        new ModelConfig(3, 8, 2, 10, padded, string, 5),
        new ModelConfig(
            1,
            8,
            1,
            10,
            new NoPosition(),
            Recurrence.none(),
            DecoderForm.GPT2,
            5,
            ModelConfig.Kind.RNN));
  }

  @Test
  void aModelThatIsTooLargeToBuildHasANumberOfParameters() {
    ModelConfig config = new ModelConfig(1_000_000, 50_000, 1, 10, new RegularGpt(2));
    long block = 12L * 50_000 * 50_000 + 13 * 50_000;
    assertThat(config.numParameters()).isEqualTo(1_000_000 * (block + 2) + 12 * 50_000);
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

  /** The outputs of c_attn, and the numbers of a recurrence of two heads of width 4. */
  static Stream<Arguments> linearMembers() {
    return Stream.of(
        Arguments.of(Member.PLAIN, 3 * 8, 4),
        Arguments.of(Member.GLA, 4 * 8, 16 * 8 + 8 * 16 + 8 + 4),
        Arguments.of(Member.MAMBA2, 2 * 4 + 2 * 8, 2 * 8 + 2 + 2 + 2 + (4 + 1) * 16 + 8),
        Arguments.of(Member.DELTANET, 3 * 8, 2 * 8 + (4 + 1) * 24 + 4),
        Arguments.of(Member.GATED_DELTANET, 4 * 8, 4 * 8 + 2 + 2 + (4 + 1) * 24 + 4),
        Arguments.of(Member.LRU, 8, 16 * 8 + 8 + 8 + 8 * 16 + 8));
  }

  @ParameterizedTest
  @MethodSource("linearMembers")
  void parametersOfALinearRecurrence(Member member, int projected, int own) {
    ModelConfig config = new ModelConfig(2, 8, 2, 10, new Linear(member, false));
    assertThat(config.numBlockParameters(0)).isEqualTo(WITHOUT_QKV + (8 + 1) * projected);
    assertThat(config.numPositionalParameters()).isEqualTo(2L * own);
    assertThat(config.numParameters())
        .isEqualTo(10 * 8 + 16 + 2 * (WITHOUT_QKV + (8 + 1) * projected + own))
        .isEqualTo(numbersOfAllTensors(config));
  }

  /** Multiplications of a token: with states, in a chunk, and of projections of its own. */
  static Stream<Arguments> linearFlops() {
    return Stream.of(
        Arguments.of(Member.PLAIN, 3 * 8, 2 * 8 * 4 + 2 * 8 * 64),
        Arguments.of(Member.GLA, 4 * 8, 2 * 8 * 4 + 2 * 8 * 16 + 16 * 8 + 8 * 16),
        Arguments.of(Member.MAMBA2, 2 * 4 + 2 * 8, 2 * 8 * 4 + (4 + 8) * 64 + 2 * 8),
        Arguments.of(Member.DELTANET, 3 * 8, 4 * 8 * 4 + 4 * 8 * 64 + 8 * 4 * 4 / 64 + 2 * 8),
        Arguments.of(Member.GATED_DELTANET, 4 * 8, 4 * 8 * 4 + 4 * 8 * 64 + 8 * 4 * 4 / 64 + 4 * 8),
        Arguments.of(Member.LRU, 8, 4 * 8 * 16 + 16 * 8 + 8 * 16));
  }

  @ParameterizedTest
  @MethodSource("linearFlops")
  void flopsOfALinearRecurrenceDoNotGrowWithTheLength(Member member, int projected, int own) {
    ModelConfig config = new ModelConfig(2, 8, 2, 10, new Linear(member, false));
    double block = WITHOUT_QKV + (8 + 1) * projected + own;
    for (int length : new int[] {64, 4096}) {
      assertThat(config.flopsPerToken(length)).isEqualTo(6 * (2 * block + 10 * 8));
    }
  }

  @Test
  void aHybridCountsEachOfItsBlocks() {
    Linear linear = new Linear(Member.GATED_DELTANET, false);
    ModelConfig config =
        new ModelConfig(3, 8, 2, 10, new Layers(List.of(linear, new NoPosition())));
    int recurrent = WITHOUT_QKV + (8 + 1) * 4 * 8;
    int attention = WITHOUT_QKV + (8 + 1) * 3 * 8;
    assertThat(config.numPositionalParameters()).isEqualTo(2 * 160);
    assertThat(config.numParameters())
        .isEqualTo(10 * 8 + 16 + 2 * (recurrent + 160) + attention)
        .isEqualTo(numbersOfAllTensors(config));
    assertThat(config.flopsPerToken(100))
        .isEqualTo(
            6.0 * (2 * (recurrent + 4 * 8 * 4 + 4 * 8 * 64 + 2 + 4 * 8) + attention + 10 * 8)
                + 12 * 8 * 100);
  }

  @Test
  void blocksThatAListOfLayersDoesNotReachDoNotCount() {
    Linear linear = new Linear(Member.GLA, false);
    Layers layers = new Layers(List.of(linear, linear, new NoPosition()));
    assertThat(new ModelConfig(2, 8, 2, 10, layers).hasAttention()).isFalse();
    assertThat(new ModelConfig(3, 8, 2, 10, layers).hasAttention()).isTrue();
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
