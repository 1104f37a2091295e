package org.lengthwise.measure;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import org.junit.jupiter.api.Test;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Staircase;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Dape;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.SlidingWindow;

class BatchPlanTest {
  private static final PositionalScheme WINDOW = new SlidingWindow(32, SlidingWindow.Within.ALIBI);
  private static final ModelConfig ALIBI = new ModelConfig(4, 128, 4, 257, new Alibi());
  private static final ModelConfig STAIRCASE =
      new ModelConfig(2, 128, 4, 257, new NoPosition()).with(new Staircase(32, 2));

  private static int forward(PositionalScheme scheme, boolean lastOnly) {
    ModelConfig model = new ModelConfig(4, 64, 4, 256, scheme);
    return new BatchPlan(model, 64).forwardSequences(4096, lastOnly);
  }

  private static int backward(ModelConfig model, int positions, int limitMegabytes) {
    return new BatchPlan(model, limitMegabytes).backwardSequences(positions);
  }

  @Test
  void theLastPositionNeedsTheRowsOfItsReceptiveField() {
    // 4 blocks of 32 positions reach 125 rows of 16 floats; the other 3,971 have one float each
    assertThat(forward(WINDOW, true)).isEqualTo((64 << 20) / (4 * 64 * (16 * 125 + 3971)));
    assertThat(forward(WINDOW, false)).isEqualTo((64 << 20) / (4 * 64 * 16 * 4096));
  }

  @Test
  void theLastPositionOfADenseSchemeNeedsEveryRow() {
    assertThat(forward(new Alibi(), true)).isEqualTo(forward(new Alibi(), false));
  }

  /** 32 queries of each sequence and width + 3 H + 1 numbers of each pair fit a block of 2^21. */
  @Test
  void aSchemeWithNumbersOfPairsHasRoomForABlockOfQueries() {
    PositionalScheme dape = new Dape(32, new Alibi());
    ModelConfig model = new ModelConfig(4, 64, 4, 256, dape);
    BatchPlan plan = new BatchPlan(model, 1024);
    assertThat(plan.forwardSequences(256, false)).isEqualTo((1 << 21) / (32 * 256 * 45));
    assertThat(plan.forwardSequences(4096, false)).isOne();
    assertThat(plan.forwardSequences(1, false)).isEqualTo(1024);
  }

  @Test
  void aBatchWithGradientsKeepsNoMoreThanTheLimit() {
    // 4 bytes, 24 floats of a layer and 4 inputs, 512 positions, width 128: 7 MiB a sequence.
    assertThat(backward(ALIBI, 512, 56)).isEqualTo(8);
    assertThat(backward(ALIBI, 512, 55)).isEqualTo(7);
    assertThat(backward(ALIBI, 1024, 56)).isEqualTo(4);
  }

  @Test
  void aBatchWithGradientsHasOneToSixtyFourSequences() {
    assertThat(backward(ALIBI, 1_000_000_000, 1)).isEqualTo(1);
    assertThat(backward(ALIBI, 1, 1024)).isEqualTo(64);
  }

  /** N C = 64 positions have all floats of a layer, the other 8,128 have embeddings only. */
  @Test
  void aStaircaseNeedsOneRowAtATime() {
    assertThat(new BatchPlan(STAIRCASE, 60).forwardSequences(8192, true))
        .isEqualTo((60 << 20) / (4 * 128 * (16 * 64 + 8128)))
        .isEqualTo(13);
    assertThat(new BatchPlan(STAIRCASE, 60).forwardSequences(512, true))
        .isEqualTo((60 << 20) / (4 * 128 * (16 * 64 + 448)));
  }

  /** The results of the chunks exist one by one and as one tensor, beside the embeddings. */
  @Test
  void allPositionsOfAStaircaseHaveThreeVectors() {
    assertThat(new BatchPlan(STAIRCASE, 60).forwardSequences(8192, false))
        .isEqualTo((60 << 20) / (4 * 128 * (16 * 64 + 3 * 8128)));
  }

  /** Two passes over 512 positions are 16 rows of 64, each with its inputs. */
  @Test
  void gradientsOfAStaircaseKeepTheInputsOfEveryRow() {
    assertThat(STAIRCASE.fullRows(512)).isEqualTo(16);
    assertThat(backward(STAIRCASE, 512, 60))
        .isEqualTo((60 << 20) / (4 * 128 * ((24 + 4) * 64 + 3 * 16 * 64)));
  }

  @Test
  void aGpuLendsHalfOfItsFreeMemory() {
    assertThat(BatchPlan.limitMegabytes(80L << 30, null)).isEqualTo(40 << 10);
    assertThat(BatchPlan.limitMegabytes(80L << 30, "4")).isEqualTo(10 << 10);
    assertThat(BatchPlan.limitMegabytes(1, null)).isEqualTo(1);
    assertThat(BatchPlan.on(ALIBI, 56, Device.cpu())).isEqualTo(new BatchPlan(ALIBI, 56));
  }

  @Test
  void deeperPassesHaveSmallerBatches() {
    ModelConfig regular = new ModelConfig(2, 128, 4, 257, new RegularGpt(8));
    assertThat(regular.executedLayers(513)).isEqualTo(8);
    assertThat(backward(regular, 512, 60)).isEqualTo(8);
    assertThat(backward(regular, 513, 60)).isEqualTo(7);
  }
}
