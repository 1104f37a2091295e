package org.lengthwise.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private static final String NOTE = "loss 3.123, 12,345 tokens/s";

  private static StatusLine line(String name, String note) {
    TrackedWork work = new TrackedWork(name, "steps", 50_000, 0);
    return new StatusLine(work, 12_500, Duration.ofSeconds(5000), note);
  }

  @Test
  void lossAndRateFitIntoEightyColumns() {
    assertThat(line("train alibi", NOTE).of(80))
        .hasSize(80)
        .startsWith("train alibi 25% 12,500 of 50,000 steps 4:10:00 left " + NOTE);
    assertThat(line("train regulargpt-128-12", NOTE).of(80))
        .hasSize(80)
        .startsWith("train regulargpt-128-12 25% 4:10:00 left " + NOTE);
  }

  @Test
  void longNameIsOmittedBeforeChangingParts() {
    assertThat(line("train " + "x".repeat(60), NOTE).of(80))
        .startsWith("25% 12,500 of 50,000 steps 4:10:00 left " + NOTE);
  }

  @Test
  void remainingRoomHoldsABar() {
    assertThat(line("read", "").of(70))
        .isEqualTo("read 25% 12,500 of 50,000 steps 4:10:00 left 2.5 steps/s [==         ]");
  }

  @Test
  void taskWithUnknownTotalShowsTheFinishedAmount() {
    TrackedWork work = new TrackedWork("read", "documents", -1, 0);
    assertThat(new StatusLine(work, 1200, Duration.ofSeconds(2), "").of(40))
        .isEqualTo("read 1,200 documents 600.0 documents/s  ");
  }

  @Test
  void firstLineHasNoRemainingTime() {
    TrackedWork work = new TrackedWork("read", "steps", 10, 0);
    assertThat(new StatusLine(work, 0, Duration.ZERO, "").of(24))
        .startsWith("read 0% 0 of 10 steps ");
  }
}
