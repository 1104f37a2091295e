package org.lengthwise.eval.perplexity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.training.model.ModelConfig;

class BatchPlanTest {
  private static final PositionalScheme WINDOW = new SlidingWindow(32, SlidingWindow.Within.ALIBI);

  private static int sequences(PositionalScheme scheme, int scored) {
    ModelConfig model = new ModelConfig(4, 64, 4, 256, scheme);
    return BatchPlan.sequences(model, new ScoredWindows(4097, scored, new long[] {4096}), 64);
  }

  @Test
  void lastTokensOfWindowsPlanWithTheRowsThatTheyReach() {
    // 4 blocks of 32 positions reach 125 rows of 16 numbers; the other 3,971 are one number each
    assertThat(sequences(WINDOW, 1)).isEqualTo((64 << 20) / (4 * 64 * (16 * 125 + 3971)));
    assertThat(sequences(WINDOW, 2)).isEqualTo((64 << 20) / (4 * 64 * 16 * 4096));
  }

  @Test
  void lastTokensOfDenseSchemesPlanWithEveryPosition() {
    assertThat(sequences(new Alibi(), 1)).isEqualTo(sequences(new Alibi(), 2));
  }
}
