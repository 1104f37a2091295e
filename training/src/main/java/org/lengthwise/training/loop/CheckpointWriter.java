package org.lengthwise.training.loop;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.lengthwise.progress.Threads;

/**
 * Writes checkpoints on its own thread while training continues.
 *
 * <p>Invariants: one write at a time; a failure is thrown once, by the next method that is called.
 * Only the training thread calls the methods.
 */
final class CheckpointWriter implements AutoCloseable {

  @FunctionalInterface
  interface Writing {

    void write() throws IOException;
  }

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "checkpoints"));
  private @Nullable Future<?> inFlight;

  /** Begins to write, after the previous write has succeeded. */
  void begin(Writing writing) throws IOException {
    await();
    inFlight =
        thread.submit(
            () -> {
              writing.write();
              return true;
            });
  }

  /** Throws the failure of a write that has ended. Does not wait. */
  void requireNoFailure() throws IOException {
    if (inFlight != null && inFlight.isDone()) {
      await();
    }
  }

  /** Waits until the current write ends, and throws its failure. */
  void await() throws IOException {
    if (inFlight == null) {
      return;
    }
    try {
      inFlight.get();
      inFlight = null;
    } catch (ExecutionException e) {
      inFlight = null;
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while a checkpoint was being written");
    }
  }

  private static IOException failure(ExecutionException failed) {
    if (failed.getCause() instanceof RuntimeException fault) {
      throw fault;
    }
    if (failed.getCause() instanceof IOException failure) {
      return failure;
    }
    throw new IllegalStateException("a checkpoint could not be written", failed.getCause());
  }

  /** Waits until the current write ends, and throws a failure that was not thrown yet. */
  @Override
  public void close() throws IOException {
    thread.shutdown();
    Threads.awaitEnd(thread);
    await();
  }
}
