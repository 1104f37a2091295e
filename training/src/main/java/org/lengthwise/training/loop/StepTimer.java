package org.lengthwise.training.loop;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures the speed of training steps and how long they wait. Between steps it measures
 * checkpoints only.
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

  <T> T waitFor(Supplier<T> data) {
    long before = nanoTime.getAsLong();
    T result = data.get();
    waitNanos += nanoTime.getAsLong() - before;
    return result;
  }

  void exchange(Runnable exchange) {
    long before = nanoTime.getAsLong();
    exchange.run();
    exchangeNanos += nanoTime.getAsLong() - before;
  }

  /** The part of a checkpoint between two steps. */
  @FunctionalInterface
  interface Pause {

    void run() throws IOException;
  }

  /** Counts the time that the next step waits for a checkpoint. */
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

  /** The pace since the last call. Requires at least one step since then. */
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
   * The speed of steps, and the mean times of a step.
   *
   * @param stepSeconds the time of a step, without checkpoints
   * @param checkpointWaitSeconds the wait for a checkpoint before the step began
   */
  record Pace(
      double tokensPerSecond,
      double stepSeconds,
      double dataWaitSeconds,
      double exchangeSeconds,
      double checkpointWaitSeconds) {}
}
