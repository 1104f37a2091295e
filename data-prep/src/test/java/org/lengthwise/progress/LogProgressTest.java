package org.lengthwise.progress;

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
  void linesComeAtMostEveryTenSecondsWithRateAndRemainingTime() {
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
  void anUnknownTotalHasNoRemainingTime() {
    LogProgress progress = start(-1);
    advance(10);
    progress.advanceTo(2_000);
    assertThat(lines).last().isEqualTo("training: 2,000 steps, 200.0 steps/s");
  }

  @Test
  void noProgressHasNoRemainingTime() {
    LogProgress progress = start(10);
    advance(10);
    progress.advanceTo(0);
    assertThat(lines).last().isEqualTo("training: 0 of 10 steps, 0.0 steps/s");
  }

  @Test
  void bytesAndTokensAreInRoundNumbers() {
    LogProgress progress = start(new TrackedWork("prepare", "bytes", 37_888_000, 0));
    advance(10);
    progress.advanceTo(11_261_246);
    assertThat(lines).last().isEqualTo("prepare: 11.3 MB of 37.9 MB, 1.1 MB/s, 0:00:23 left");

    progress = start(new TrackedWork("evaluate", "tokens", 5_000_000, 0));
    advance(10);
    progress.advanceTo(123_456);
    assertThat(lines)
        .last()
        .isEqualTo("evaluate: 123.5k of 5.0M tokens, 12.3k tokens/s, 0:06:35 left");
  }

  @Test
  void stepsAndTokensOfATrainingLineAreOverTheSameTime() {
    LogProgress progress = start(new TrackedWork("train", "steps", 1_000, 2_048));
    advance(10);
    progress.advanceTo(17);
    assertThat(lines)
        .last()
        .isEqualTo("train: 17 of 1,000 steps, 1.7 steps/s, 3.5k tokens/s, 0:09:38 left");
  }

  private LogProgress start(long total) {
    return start(new TrackedWork("training", "steps", total, 0));
  }

  private LogProgress start(TrackedWork work) {
    return new LogProgress(work, nanos::get, lines::add);
  }

  private void advance(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }
}
