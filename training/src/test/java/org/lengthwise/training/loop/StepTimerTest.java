package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class StepTimerTest {
  private static final long SECOND = 1_000_000_000L;

  private long now;
  private final StepTimer timer = new StepTimer(() -> now);

  private void pass(double seconds) {
    now += (long) (seconds * SECOND);
  }

  private void step(double wait, double work, double exchange) {
    timer.start();
    String batch =
        timer.waitFor(
            () -> {
              pass(wait);
              return "batch";
            });
    assertThat(batch).isEqualTo("batch");
    pass(work);
    timer.exchange(() -> pass(exchange));
    timer.stop(100);
  }

  @Test
  void secondsAreMeansOverSteps() {
    step(1, 2, 1);
    pass(50); // time between steps, such as a validation, does not count
    step(0, 5, 3);
    assertThat(timer.takePace()).isEqualTo(new StepTimer.Pace(200.0 / 12, 6, 0.5, 2, 0));
  }

  @Test
  void nextPaceStartsAtZero() {
    step(1, 2, 1);
    timer.takePace();
    step(0, 0.5, 0);
    assertThat(timer.takePace()).isEqualTo(new StepTimer.Pace(200, 0.5, 0, 0, 0));
  }

  @Test
  void timeOfACheckpointIsNotPartOfTheSteps() throws IOException {
    step(0, 1, 0);
    timer.checkpoint(() -> pass(3));
    step(0, 1, 0);
    assertThat(timer.takePace()).isEqualTo(new StepTimer.Pace(100, 1, 0, 0, 1.5));
    step(0, 1, 0);
    assertThat(timer.takePace().checkpointWaitSeconds()).isZero();
  }
}
