package org.lengthwise.dataprep.prepare;

import java.util.function.LongSupplier;

/**
 * When the next checkpoint is due: so late that checkpoints take a small share of the time, unless
 * work of half a minute would be at stake. The output does not depend on it.
 */
final class CheckpointSchedule {

  private static final long SECOND = 1_000_000_000L;
  private static final int PAUSE_PER_COST = 100;

  private final LongSupplier nanoClock;
  private final long shortestPause;
  private final long longestPause;
  private boolean started;
  private long lastEnd;
  private long lastCost;

  /**
   * Starts when it is first asked.
   *
   * @param nanoClock the time
   * @param shortestPause no checkpoint is due for so long after one, and after the start
   * @param longestPause after so long one is due, whatever it costs
   */
  CheckpointSchedule(LongSupplier nanoClock, long shortestPause, long longestPause) {
    this.nanoClock = nanoClock;
    this.shortestPause = shortestPause;
    this.longestPause = longestPause;
  }

  /** Every second if that is a hundredth of the time or less, and every 30 seconds at least. */
  static CheckpointSchedule ofRealTime() {
    return new CheckpointSchedule(System::nanoTime, SECOND, 30 * SECOND);
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

  /** The time, to be given to {@link #ended}. */
  long now() {
    return nanoClock.getAsLong();
  }

  /** Notes that a checkpoint that began then has ended. */
  void ended(long begin) {
    lastEnd = nanoClock.getAsLong();
    lastCost = lastEnd - begin;
  }
}
