package org.lengthwise.model;

import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lengthwise.progress.Threads;
import org.lengthwise.training.safetensors.StoredNumbers;

/**
 * Reads matrices in float32, some rows at a time, on its own thread, which is up to three buffers
 * ahead of the caller. Until {@link #close} the engine uses one thread: others would wait for the
 * caller's next call in a loop, and take the processor of the reading thread.
 */
final class StoredRows implements AutoCloseable {
  /** The memory of the rows that are converted together. They stay in a processor's cache. */
  private static final int BYTES = 1 << 20;

  private final ByteBuffer[] buffers = new ByteBuffer[4];
  private final int engineThreads = JniUtils.getNumThreads();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "weights"));

  /** What is done with some rows. */
  @FunctionalInterface
  interface Rows {
    /**
     * Takes rows.
     *
     * @param numbers the rows in native order, valid until the call ends
     * @param first the index of the first row
     */
    void take(ByteBuffer numbers, int first, int count);
  }

  /**
   * Memory outside Java's heap, which DJL reads without a copy.
   *
   * @param mostColumns the columns of the widest matrix
   */
  StoredRows(int mostColumns) {
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] =
          ByteBuffer.allocateDirect(Math.max(BYTES, Float.BYTES * mostColumns))
              .order(ByteOrder.nativeOrder());
    }
    JniUtils.setNumThreads(1);
  }

  /** Gives all rows of a matrix, in order. */
  void each(StoredNumbers matrix, int numRows, int columns, Rows rows) throws IOException {
    int step = Math.min(numRows, buffers[0].capacity() / (Float.BYTES * columns));
    Deque<Future<ByteBuffer>> ahead = new ArrayDeque<>();
    int next = 0;
    for (int first = 0; first < numRows; first += step) {
      while (next < numRows && ahead.size() < buffers.length) {
        int count = Math.min(step, numRows - next);
        ahead.add(read(matrix, buffers[next / step % buffers.length], count * columns));
        next += count;
      }
      rows.take(await(ahead.remove()), first, Math.min(step, numRows - first));
    }
  }

  private Future<ByteBuffer> read(StoredNumbers matrix, ByteBuffer buffer, int count) {
    return thread.submit(
        () -> {
          matrix.next(buffer.clear().limit(Float.BYTES * count).asFloatBuffer());
          return buffer.slice().order(buffer.order());
        });
  }

  private static ByteBuffer await(Future<ByteBuffer> rows) throws IOException {
    try {
      return rows.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("cannot read weights", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for weights");
    }
  }

  /** Ends the thread. Afterwards the files may be closed. */
  @Override
  public void close() {
    JniUtils.setNumThreads(engineThreads);
    thread.shutdownNow();
    Threads.awaitEnd(thread);
  }
}
