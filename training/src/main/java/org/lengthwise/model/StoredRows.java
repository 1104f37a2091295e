package org.lengthwise.model;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lengthwise.progress.Threads;
import org.lengthwise.training.safetensors.StoredNumbers;

/**
 * Reads matrices in float32, some rows at a time, on its own thread. While the caller copies rows,
 * the next ones are read and converted.
 */
final class StoredRows implements AutoCloseable {
  /** The memory of the rows that are converted together. They stay in a processor's cache. */
  private static final int BYTES = 1 << 19;

  private final ByteBuffer[] buffers = new ByteBuffer[2];
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
     * @param count how many they are
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
  }

  /**
   * Gives all rows of a matrix, in order.
   *
   * @throws IOException if they cannot be read
   */
  void each(StoredNumbers matrix, int numRows, int columns, Rows rows) throws IOException {
    int step = Math.min(numRows, buffers[0].capacity() / (Float.BYTES * columns));
    Future<ByteBuffer> next = read(matrix, buffers[0], step * columns);
    for (int first = 0, i = 1; first < numRows; first += step, i++) {
      ByteBuffer read = await(next);
      int after = Math.min(step, numRows - first - step);
      if (after > 0) {
        next = read(matrix, buffers[i % buffers.length], after * columns);
      }
      rows.take(read, first, Math.min(step, numRows - first));
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
    thread.shutdownNow();
    Threads.awaitEnd(thread);
  }
}
