package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.training.Loops;
import org.lengthwise.training.config.LoopConfig;

class TrainingRunTest {
  /** 100 steps with a checkpoint every 10 steps. Three and the best are kept. */
  private static final LoopConfig LOOP = Loops.every(Loops.of(16, 4, 100), 10, 3, 3);

  @Test
  void newRunNeedsRoomForTheKeptTheBestAndTheCurrentCheckpoint() {
    assertThat(TrainingRun.checkpointsToCome(LOOP, 0, 0)).isEqualTo(5);
  }

  @Test
  void resumedRunNeedsRoomForItsMissingCheckpoints() {
    assertThat(TrainingRun.checkpointsToCome(LOOP, 20, 2)).isEqualTo(3);
    assertThat(TrainingRun.checkpointsToCome(LOOP, 50, 4)).isEqualTo(1);
    assertThat(TrainingRun.checkpointsToCome(LOOP, 50, 9)).isEqualTo(1);
  }

  @Test
  void shortRunNeedsRoomForItsFewCheckpoints() {
    assertThat(TrainingRun.checkpointsToCome(LOOP, 85, 1)).isEqualTo(2);
    assertThat(TrainingRun.checkpointsToCome(LOOP, 99, 1)).isEqualTo(1);
  }
}
