package org.lengthwise.training.loop;

import java.util.function.LongSupplier;

/** Measures the rate of training steps, leaving out what happens between them. */
final class StepTimer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoTime;
  private long started;
  private long busyNanos;
  private long tokens;

  StepTimer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void start() {
    started = nanoTime.getAsLong();
  }

  void stop(long stepTokens) {
    busyNanos += nanoTime.getAsLong() - started;
    tokens += stepTokens;
  }

  /** The rate since the last call. */
  double takeTokensPerSecond() {
    double rate = tokens / (busyNanos / NANOS_PER_SECOND);
    busyNanos = 0;
    tokens = 0;
    return rate;
  }
}
