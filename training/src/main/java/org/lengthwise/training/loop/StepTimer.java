package org.lengthwise.training.loop;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Measures the rate of training steps, and what they wait for; not what happens between them. */
final class StepTimer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoTime;
  private long started;
  private long busyNanos;
  private long waitNanos;
  private long exchangeNanos;
  private long tokens;

  StepTimer(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void start() {
    started = nanoTime.getAsLong();
  }

  /** Counts the time until data is there as waiting. */
  <T> T waitFor(Supplier<T> data) {
    long before = nanoTime.getAsLong();
    T result = data.get();
    waitNanos += nanoTime.getAsLong() - before;
    return result;
  }

  /** Counts the time of an exchange between replicas. */
  void exchange(Runnable exchange) {
    long before = nanoTime.getAsLong();
    exchange.run();
    exchangeNanos += nanoTime.getAsLong() - before;
  }

  void stop(long stepTokens) {
    busyNanos += nanoTime.getAsLong() - started;
    tokens += stepTokens;
  }

  /** The pace since the last call. */
  Pace takePace() {
    Pace pace =
        new Pace(
            tokens / (busyNanos / NANOS_PER_SECOND),
            waitNanos / (double) busyNanos,
            exchangeNanos / (double) busyNanos);
    exchangeNanos = 0;
    busyNanos = 0;
    waitNanos = 0;
    tokens = 0;
    return pace;
  }

  /**
   * How fast steps were.
   *
   * @param tokensPerSecond tokens a second
   * @param dataWaitShare the share of the time spent waiting for batches
   * @param exchangeShare the share of the time spent exchanging gradients
   */
  record Pace(double tokensPerSecond, double dataWaitShare, double exchangeShare) {}
}
