package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which numbers one training pass zeroes. The others are divided by 1 - rate. A mask is a hash of
 * the seed, the row of the batch, the number of the call and the place in the row. So it does not
 * depend on replicas, micro-batches and interruptions. Documents that are read apart are the rows
 * of their micro-batch, so only then the masks depend on its size.
 *
 * <p>Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from
 * Overfitting", JMLR 2014.
 */
final class Dropout {
  /** Hashes have 31 bits. */
  private static final double HASHES = 1L << 31;

  /** Odd numbers, so that rows and calls begin at different hashes. */
  private static final long ROW = 0x9e3779b97f4a7c15L;

  private static final long CALL = 0xd1342543de82ef95L;

  private final double rate;
  private final long seed;
  private final long firstRow;
  private final AtomicLong numCalls = new AtomicLong();

  /**
   * The masks of a pass.
   *
   * @param rate the share of zeroed numbers, from 0 to below 1
   * @param seed decides the masks of a step
   * @param firstRow the place of the pass's first sequence in the batch
   */
  Dropout(double rate, long seed, long firstRow) {
    this.rate = rate;
    this.seed = seed;
    this.firstRow = firstRow;
  }

  /** What the kernel {@code dropped} reads in its next call: [1 + B], int64. */
  NDArray next(long rows, NDManager owner) {
    long call = numCalls.getAndIncrement();
    long[] numbers = new long[Math.toIntExact(1 + rows)];
    numbers[0] = Math.round(rate * HASHES);
    for (int b = 0; b < rows; b++) {
      numbers[1 + b] = seed + (firstRow + b) * ROW + call * CALL;
    }
    return owner.create(numbers);
  }
}
