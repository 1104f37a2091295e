package org.lengthwise.training.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lengthwise.progress.Threads;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;

/**
 * Reads the training batches of a run on its own thread, two steps ahead.
 *
 * <p>Invariant: the batch of a step depends on its cursor only, not on how far the thread has read.
 */
final class BatchReader implements AutoCloseable {
  private static final int STEPS_AHEAD = 2;

  private final Task task;
  private final int batch;
  private final int microBatch;
  private final Deque<Future<List<Samples>>> ahead = new ArrayDeque<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "batches"));
  private long cursor;

  /**
   * Begins to read after {@code cursor} samples. A micro-batch, in samples, divides the batch. Only
   * this reader reads the task's training samples.
   */
  BatchReader(Task task, int batch, int microBatch, long cursor) {
    this.task = task;
    this.batch = batch;
    this.microBatch = microBatch;
    this.cursor = cursor;
    for (int step = 0; step < STEPS_AHEAD; step++) {
      readAhead(cursor + (long) step * batch);
    }
  }

  private void readAhead(long from) {
    ahead.add(thread.submit(() -> read(from)));
  }

  private List<Samples> read(long from) {
    List<Samples> micros = new ArrayList<>(batch / microBatch);
    for (int done = 0; done < batch; done += microBatch) {
      micros.add(task.training(from + done, microBatch));
    }
    return micros;
  }

  /**
   * Waits for the batch of the next step, in micro-batches. The caller expects the step to begin at
   * a cursor.
   */
  List<Samples> take(long expectedCursor) {
    if (expectedCursor != cursor) {
      throw new IllegalStateException(
          "the next batch begins at sample " + cursor + ", not at " + expectedCursor);
    }
    Future<List<Samples>> next = ahead.remove();
    readAhead(cursor + (long) STEPS_AHEAD * batch);
    cursor += batch;
    try {
      return next.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("cannot read batches", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for a batch");
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    Threads.awaitEnd(thread);
  }
}
