package org.lengthwise.dataprep.prepare;

import java.util.function.LongSupplier;

/**
 * Decides when the next resume point is saved. Resume points cost at most 1 % of the time, but at
 * least one is saved every 30 s. The output does not depend on the schedule.
 */
final class ResumePointSchedule {

  private static final long SECOND = 1_000_000_000L;
  private static final int PAUSE_PER_COST = 100;

  private final LongSupplier nanoClock;
  private final long shortestPause;
  private final long longestPause;
  private boolean started;
  private long lastEnd;
  private long lastCost;

  /**
   * The pauses are in nanoseconds: the shortest between two resume points, and the one after which
   * a resume point is due even if it is expensive.
   */
  ResumePointSchedule(LongSupplier nanoClock, long shortestPause, long longestPause) {
    this.nanoClock = nanoClock;
    this.shortestPause = shortestPause;
    this.longestPause = longestPause;
  }

  static ResumePointSchedule ofRealTime() {
    return new ResumePointSchedule(System::nanoTime, SECOND, 30 * SECOND);
  }

  boolean isDue() {
    long now = nanoClock.getAsLong();
    if (!started) {
      started = true;
      lastEnd = now;
    }
    long pause = Math.min(longestPause, Math.max(shortestPause, PAUSE_PER_COST * lastCost));
    return now - lastEnd >= pause;
  }

  long now() {
    return nanoClock.getAsLong();
  }

  void ended(long begin) {
    lastEnd = nanoClock.getAsLong();
    lastCost = lastEnd - begin;
  }
}
