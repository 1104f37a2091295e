package org.lengthwise.training.loop;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures the rate of training steps and what they wait for; of what happens between them, only
 * what checkpoints take.
 */
final class StepTimer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoTime;
  private long started;
  private long busyNanos;
  private long waitNanos;
  private long exchangeNanos;
  private long checkpointNanos;
  private long tokens;
  private long steps;

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

  /** What a checkpoint takes between two steps. */
  @FunctionalInterface
  interface Pause {

    /** Returns when steps may go on. */
    void run() throws IOException;
  }

  /** Counts the time that a checkpoint keeps the next step waiting. */
  void checkpoint(Pause pause) throws IOException {
    long before = nanoTime.getAsLong();
    pause.run();
    checkpointNanos += nanoTime.getAsLong() - before;
  }

  void stop(long stepTokens) {
    busyNanos += nanoTime.getAsLong() - started;
    tokens += stepTokens;
    steps++;
  }

  /** The pace since the last call, of one step at least. */
  Pace takePace() {
    double seconds = NANOS_PER_SECOND * steps;
    Pace pace =
        new Pace(
            tokens / (busyNanos / NANOS_PER_SECOND),
            busyNanos / seconds,
            waitNanos / seconds,
            exchangeNanos / seconds,
            checkpointNanos / seconds);
    exchangeNanos = 0;
    checkpointNanos = 0;
    busyNanos = 0;
    waitNanos = 0;
    tokens = 0;
    steps = 0;
    return pace;
  }

  /**
   * How fast steps were, and what a step took in the mean.
   *
   * @param tokensPerSecond tokens a second
   * @param stepSeconds the whole of it, checkpoints aside
   * @param dataWaitSeconds waiting for its batch
   * @param exchangeSeconds exchanging gradients between replicas
   * @param checkpointWaitSeconds waiting for a checkpoint, before the step began
   */
  record Pace(
      double tokensPerSecond,
      double stepSeconds,
      double dataWaitSeconds,
      double exchangeSeconds,
      double checkpointWaitSeconds) {}
}
