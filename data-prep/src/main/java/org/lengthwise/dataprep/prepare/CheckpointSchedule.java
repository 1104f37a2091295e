package org.lengthwise.dataprep.prepare;

import java.util.function.LongSupplier;

/**
 * When the next checkpoint is due: so late that checkpoints take a small share of the time,
 * whatever one of them costs on this machine. The output does not depend on it.
 */
final class CheckpointSchedule {

  private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000L;
  private static final int PAUSE_PER_COST = 100;

  private final LongSupplier nanoClock;
  private final long shortestPauseNanos;
  private final int pausePerCost;
  private long lastEnd;
  private long lastCost;

  /**
   * Starts with no checkpoint due for the shortest pause.
   *
   * @param nanoClock the time
   * @param shortestPauseNanos how long there is none after one
   * @param pausePerCost how many times as long as a checkpoint took there is none after it
   */
  CheckpointSchedule(LongSupplier nanoClock, long shortestPauseNanos, int pausePerCost) {
    this.nanoClock = nanoClock;
    this.shortestPauseNanos = shortestPauseNanos;
    this.pausePerCost = pausePerCost;
    lastEnd = nanoClock.getAsLong();
  }

  /** At most one a second, and at most a hundredth of the time. */
  static CheckpointSchedule ofRealTime() {
    return new CheckpointSchedule(System::nanoTime, SHORTEST_PAUSE_NANOS, PAUSE_PER_COST);
  }

  boolean isDue() {
    long pause = Math.max(shortestPauseNanos, pausePerCost * lastCost);
    return nanoClock.getAsLong() - lastEnd >= pause;
  }

  /** Notes that a checkpoint that began at this time of the clock has ended. */
  void ended(long beginNanos) {
    lastEnd = nanoClock.getAsLong();
    lastCost = lastEnd - beginNanos;
  }

  long now() {
    return nanoClock.getAsLong();
  }
}
