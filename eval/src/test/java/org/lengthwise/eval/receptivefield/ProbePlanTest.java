package org.lengthwise.eval.receptivefield;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.training.model.ModelConfig;

class ProbePlanTest {
  private static final ModelConfig ALIBI = new ModelConfig(4, 128, 4, 257, new Alibi());

  @Test
  void chunksOfABatchKeepNoMoreThanTheLimit() {
    // 4 bytes, 24 floats of a layer and 4 inputs, 512 positions, 128 wide: 7 MiB a chunk.
    assertThat(ProbePlan.chunks(ALIBI, 512, 56)).isEqualTo(8);
    assertThat(ProbePlan.chunks(ALIBI, 512, 55)).isEqualTo(7);
    assertThat(ProbePlan.chunks(ALIBI, 1024, 56)).isEqualTo(4);
  }

  @Test
  void oneChunkAlwaysGoesAndNeverMoreThanSixtyFour() {
    assertThat(ProbePlan.chunks(ALIBI, 1_000_000_000, 1)).isEqualTo(1);
    assertThat(ProbePlan.chunks(ALIBI, 1, 1024)).isEqualTo(64);
  }

  @Test
  void deeperPassesTakeFewerChunks() {
    ModelConfig regular = new ModelConfig(2, 128, 4, 257, new RegularGpt(8, 2));
    assertThat(regular.executedLayers(513)).isEqualTo(8);
    assertThat(ProbePlan.chunks(regular, 512, 60)).isEqualTo(8);
    assertThat(ProbePlan.chunks(regular, 513, 60)).isEqualTo(7);
  }
}
