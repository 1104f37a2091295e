package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopSignalsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int TERMINATED = 143;

  private long now = 7 * SECOND;
  private final List<Integer> ends = new ArrayList<>();

  @Test
  void signalsWithinOneSecondAreOneRequest() {
    try (StopSignals signals = new StopSignals(() -> now, ends::add)) {
      assertThat(signals.getAsBoolean()).isFalse();
      signals.signal(TERMINATED);
      now += SECOND / 1000;
      signals.signal(TERMINATED);
      assertThat(signals.getAsBoolean()).isTrue();
      assertThat(ends).isEmpty();
    }
  }

  @Test
  void laterSignalEndsTheProcessAtOnce() {
    try (StopSignals signals = new StopSignals(() -> now, ends::add)) {
      signals.signal(TERMINATED);
      now += 2 * SECOND;
      signals.signal(TERMINATED);
      assertThat(ends).containsExactly(TERMINATED);
    }
  }
}
