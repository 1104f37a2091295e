package org.lengthwise.training.loop;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.thread.Threads;

/**
 * Writes checkpoints beside training, on a thread of its own.
 *
 * <p>Invariants: one write at a time; a failure is told once, to the first who asks afterwards. All
 * methods are the training thread's.
 */
final class CheckpointWriter implements AutoCloseable {

  /** Writes one checkpoint, from what no step touches. */
  @FunctionalInterface
  interface Writing {

    /** Returns when the checkpoint is where readers look for it. */
    void write() throws IOException;
  }

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "checkpoints"));
  private @Nullable Future<?> inFlight;

  /** Begins to write once the write before has ended well. */
  void begin(Writing writing) throws IOException {
    await();
    inFlight =
        thread.submit(
            () -> {
              writing.write();
              return true;
            });
  }

  /** Tells the failure of a write that has ended by now, and waits for none. */
  void requireNoFailure() throws IOException {
    if (inFlight != null && inFlight.isDone()) {
      await();
    }
  }

  /** Waits until nothing is being written, and tells how that ended. */
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
      throw new CancellationException("interrupted while a checkpoint was written");
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

  /** Lets a write end, whatever happens, and tells a failure that nobody was told of. */
  @Override
  public void close() throws IOException {
    thread.shutdown();
    Threads.awaitEnd(thread);
    await();
  }
}
