package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.SlidingWindow;

class RecurrenceTest {
  private static final PositionalScheme NONE = new NoPosition();

  private static ModelConfig small(int layers, Recurrence recurrence) {
    return new ModelConfig(layers, 128, 4, 257, NONE).with(recurrence);
  }

  @Test
  void aStaircaseAddsNoParametersAndStatesAddTheirOwn() {
    assertThat(small(2, new Staircase(32, 2)).numParameters()).isEqualTo(429_696);
    assertThat(small(4, Recurrence.none()).numParameters()).isEqualTo(826_240);
    assertThat(small(4, new BlockRecurrence(32, 32, 2)).numParameters()).isEqualTo(966_656);
    ModelConfig large = new ModelConfig(12, 768, 12, 50_257, NONE);
    assertThat(large.with(new BlockRecurrence(512, 512, 9)).numParameters())
        .isEqualTo(large.numParameters() + 5_511_936);
    assertThat(new ModelConfig(6, 768, 12, 50_257, NONE).numParameters() / 1e6)
        .isEqualTo(81.13, within(0.005));
  }

  @Test
  void statesFollowTheTensorsOfTheirBlock() {
    assertThat(ParameterLayout.shapes(small(2, new BlockRecurrence(8, 3, 0))).keySet())
        .containsSubsequence(
            "transformer.h.0.mlp.c_proj.bias",
            "transformer.h.0.state.init",
            "transformer.h.0.state.ids",
            "transformer.h.0.state.ln.weight",
            "transformer.h.0.state.ln.bias",
            "transformer.h.0.state.c_attn.weight",
            "transformer.h.0.state.c_attn.bias",
            "transformer.h.0.state.c_proj.weight",
            "transformer.h.0.state.c_proj.bias",
            "transformer.h.0.state.gate",
            "transformer.h.0.state.c_read.weight",
            "transformer.h.0.state.c_read.bias",
            "transformer.h.0.state.c_read_proj.weight",
            "transformer.h.1.ln_1.weight");
    assertThat(ParameterLayout.of(small(2, new BlockRecurrence(8, 3, 0))))
        .filteredOn(spec -> spec.name().contains(".state.") && spec.decays())
        .extracting(ParameterSpec::name)
        .containsExactly(
            "transformer.h.0.state.c_attn.weight",
            "transformer.h.0.state.c_proj.weight",
            "transformer.h.0.state.c_read.weight",
            "transformer.h.0.state.c_read_proj.weight");
  }

  @ParameterizedTest
  @CsvSource({
    // chunk, passes, T, expected without positions
    "32, 1, 1, 1",
    "32, 1, 32, 32",
    "32, 1, 33, 1",
    "32, 1, 70, 6",
    "32, 2, 512, 512",
    "1, 2, 300, 300",
    "64, 3, 20, 20"
  })
  void receptiveFieldOfAStaircase(int chunk, int passes, int length, int expected) {
    assertThat(new Staircase(chunk, passes).receptiveField(2, NONE, length)).isEqualTo(expected);
  }

  @Test
  void receptiveFieldOfWindowsGrowsWithThePassesOfEarlierChunks() {
    // One block of window 2, chunks of 3, two passes: one position in the last row, and one more in
    // the row before, whose carried positions end at the start of the last chunk.
    PositionalScheme window = new SlidingWindow(2, SlidingWindow.Within.NONE);
    assertThat(new Staircase(3, 2).receptiveField(1, window, 9)).isEqualTo(3);
    assertThat(new Staircase(3, 2).receptiveField(3, window, 12)).isEqualTo(12);
  }

  @Test
  void receptiveFieldOfStatesIsTheWholeSequenceFromTheSecondChunkOn() {
    PositionalScheme window = new SlidingWindow(2, SlidingWindow.Within.NONE);
    Recurrence recurrence = new BlockRecurrence(3, 2, 1);
    assertThat(recurrence.receptiveField(3, window, 12)).isEqualTo(12);
    assertThat(new BlockRecurrence(12, 2, 1).receptiveField(3, window, 12)).isEqualTo(4);
  }

  @Test
  void costsCountPassesRowsAndStates() {
    ModelConfig staircase = small(2, new Staircase(32, 2));
    assertThat(staircase.executedLayers(500)).isEqualTo(4);
    assertThat(staircase.recurrence().sequentialCalls(2, 500)).isEqualTo((16 + 1) * 2);
    double blocks = 6 * (4 * staircase.numBlockParameters(0) + 257.0 * 128);
    assertThat(staircase.flopsPerToken(500)).isEqualTo(blocks + 12.0 * 4 * 128 * 64);
    assertThat(staircase.flopsPerToken(20)).isEqualTo(blocks + 12.0 * 4 * 128 * 20);
    ModelConfig plain = small(4, Recurrence.none());
    assertThat(small(4, new BlockRecurrence(32, 32, 2)).flopsPerToken(128))
        .isEqualTo(plain.flopsPerToken(128) + 6 * 8 * 128 * 128 + 12 * 128 * 96);
  }

  @Test
  void recurrenceThatIsNotTrainedIsAWarning() {
    assertThat(new Staircase(32, 2).warning(128)).isEmpty();
    assertThat(new Staircase(32, 1).warning(128).orElseThrow()).contains("passes is 1");
    assertThat(new Staircase(128, 2).warning(128).orElseThrow()).contains("chunk 128");
    assertThat(new BlockRecurrence(512, 1, 0).warning(128).orElseThrow()).contains("chunk 512");
  }

  @Test
  void modelsThatCannotRecurAreRejected() {
    Recurrence staircase = new Staircase(4, 2);
    assertThatThrownBy(() -> new Staircase(0, 2)).hasMessageContaining("chunk");
    assertThatThrownBy(() -> new Staircase(4, 0)).hasMessageContaining("passes");
    assertThatThrownBy(() -> new ModelConfig(1, 8, 2, 5, new RegularGpt(2)).with(staircase))
        .hasMessageContaining("position: expected attention that depends on the distance alone")
        .hasMessageContaining("regulargpt");
    assertThatThrownBy(
            () ->
                new ModelConfig(
                        1,
                        8,
                        2,
                        5,
                        new Rope(100)
                            .scaled(new PositionScaling(PositionScaling.Kind.NTK), 8)
                            .orElseThrow())
                    .with(staircase))
        .hasMessageContaining("rope-ntk");
    assertThatThrownBy(() -> small(2, new BlockRecurrence(4, 1, 2)))
        .hasMessageContaining("recurrence.layer")
        .hasMessageContaining("a block from 0 to 1");
    assertThatThrownBy(() -> new BlockRecurrence(4, 0, 0)).hasMessageContaining("states");
  }

  @Test
  void recurrentModelsAreCausalAndStatesReadNormalisedTokens() {
    Recurrence states = new BlockRecurrence(4, 1, 0);
    DecoderForm post = form(DecoderForm.Norm.POST, true);
    DecoderForm bidirectional = form(DecoderForm.Norm.PRE, false);
    assertThatThrownBy(() -> classifier(post).with(states))
        .hasMessageContaining("model.norm: expected pre")
        .hasMessageContaining("found post");
    assertThat(classifier(post).with(new Staircase(4, 2)).recurrence().passes()).isEqualTo(2);
    for (Recurrence recurrence : List.of(new Staircase(4, 2), states)) {
      assertThatThrownBy(() -> classifier(bidirectional).with(recurrence))
          .hasMessageContaining("model.causal: expected true")
          .hasMessageContaining("found false");
    }
  }

  private static DecoderForm form(DecoderForm.Norm norm, boolean causal) {
    return new DecoderForm(
        norm,
        DecoderForm.Activation.GELU,
        true,
        DecoderForm.EmbeddingScale.ONE,
        DecoderForm.Initial.GPT2,
        causal);
  }

  private static ModelConfig classifier(DecoderForm form) {
    return new ModelConfig(1, 8, 2, 5, NONE, form, 2);
  }

  @Test
  void lastPositionNeedsItsFieldOrWholeRows() {
    PositionalScheme window = new SlidingWindow(4, SlidingWindow.Within.NONE);
    ModelConfig plain = new ModelConfig(2, 8, 2, 5, window);
    assertThat(plain.positionsForLast(100)).isEqualTo(7);
    assertThat(plain.with(new Staircase(8, 3)).positionsForLast(100)).isEqualTo(24);
    assertThat(plain.with(new BlockRecurrence(8, 1, 0)).positionsForLast(100)).isEqualTo(100);
  }

  @Test
  void textsOfAnyLengthNeedChunksOrWindows() {
    assertThat(Recurrence.none().hasBoundedState(NONE)).isFalse();
    assertThat(new Staircase(4, 2).hasBoundedState(new Alibi())).isTrue();
    assertThat(new BlockRecurrence(4, 1, 0).hasBoundedState(new Alibi())).isFalse();
    assertThat(
            new BlockRecurrence(4, 1, 0)
                .hasBoundedState(new SlidingWindow(4, SlidingWindow.Within.ALIBI)))
        .isTrue();
  }
}
