package org.lengthwise.dataprep.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogProgressTest {
  private final AtomicLong nanos = new AtomicLong(5);
  private final List<String> lines = new ArrayList<>();

  @Test
  void linesComeAtMostEveryTenSecondsWithRateAndTimeLeft() {
    LogProgress progress = start(1_000);
    advance(9);
    progress.advanceTo(90);
    advance(1);
    progress.message("loss 2.5");
    progress.advanceTo(100);
    advance(5);
    progress.advanceTo(150);
    advance(5);
    progress.close();
    progress.close();
    assertThat(lines)
        .containsExactly(
            "training: started",
            "training: 100 of 1,000 steps, 10.0 steps/s, 0:01:30 left, loss 2.5",
            "training: 150 of 1,000 steps in 0:00:20, loss 2.5");
  }

  @Test
  void anUnknownTotalHasNoTimeLeft() {
    LogProgress progress = start(-1);
    advance(10);
    progress.advanceTo(2_000);
    assertThat(lines).last().isEqualTo("training: 2,000 steps, 200.0 steps/s");
  }

  @Test
  void nothingDoneYetHasNoTimeLeft() {
    LogProgress progress = start(10);
    advance(10);
    progress.advanceTo(0);
    assertThat(lines).last().isEqualTo("training: 0 of 10 steps, 0.0 steps/s");
  }

  private LogProgress start(long total) {
    return new LogProgress(
        new LogProgress.Task("training", "steps", total), nanos::get, lines::add);
  }

  private void advance(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
