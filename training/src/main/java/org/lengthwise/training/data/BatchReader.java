package org.lengthwise.training.data;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lengthwise.dataprep.thread.Threads;

/**
 * Reads the batches of a run ahead of its steps, on a thread of its own.
 *
 * <p>Invariant: what a step gets depends on its cursor alone, never on how far the thread had read.
 */
public final class BatchReader implements AutoCloseable {
  private static final int STEPS_AHEAD = 2;

  private final Windows windows;
  private final WindowOrder order;
  private final int batch;
  private final int microBatch;
  private final Deque<Future<List<Sequences>>> ahead = new ArrayDeque<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "batches"));
  private long cursor;

  /**
   * Begins to read.
   *
   * @param windows the windows of the training split
   * @param order the order that they are drawn in; from now on this reader's own
   * @param batch the windows of a step
   * @param microBatch the windows that go through the model at a time; a divisor of batch
   * @param cursor how many windows were drawn before
   */
  public BatchReader(Windows windows, WindowOrder order, int batch, int microBatch, long cursor) {
    this.windows = windows;
    this.order = order;
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

  private List<Sequences> read(long from) {
    List<Sequences> micros = new ArrayList<>(batch / microBatch);
    for (int done = 0; done < batch; done += microBatch) {
      long first = from + done;
      micros.add(windows.read(microBatch, b -> order.window(first + b)));
    }
    return micros;
  }

  /**
   * The batch of the next step, waiting for it if need be.
   *
   * @param expectedCursor where the caller believes that step to begin
   * @return its micro-batches in order
   */
  public List<Sequences> take(long expectedCursor) {
    if (expectedCursor != cursor) {
      throw new IllegalStateException(
          "the next batch begins at window " + cursor + ", not at " + expectedCursor);
    }
    Future<List<Sequences>> next = ahead.remove();
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

  /** Ends the thread; what it reads from may be closed afterwards. */
  @Override
  public void close() {
    thread.shutdownNow();
    Threads.awaitEnd(thread);
  }
}
