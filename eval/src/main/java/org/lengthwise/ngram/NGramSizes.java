package org.lengthwise.ngram;

import org.lengthwise.model.ModelConfig;

/**
 * The sizes of an {@link NGramDecoder} that is not computed yet.
 *
 * @param order n
 * @param vocabulary V
 * @param numHistories the number of histories of 1 to n - 1 tokens
 */
public record NGramSizes(
    int order, int vocabulary, long numHistories, NGramDecoder.Variant variant) {
  public static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  public ModelConfig config() {
    return NGramDecoder.config(order, vocabulary, numHistories, variant);
  }

  public long numParameters() {
    return config().numParameters();
  }

  /** {@return the memory of the parameters, in bytes in float32} */
  public long bytes() {
    return Float.BYTES * numParameters();
  }

  /** {@return the size of the largest array: the rows of probabilities or the largest tensor} */
  public long numInLargestArray() {
    return Math.max(numInRows(), numInLargestTensor());
  }

  private long numInRows() {
    return (numHistories + 1) * vocabulary;
  }

  private long numInLargestTensor() {
    long width = config().width();
    return 4 * width * width;
  }

  /**
   * {@return the Java heap that the construction needs, in bytes} It holds the rows, the histories,
   * a scan of Kneser-Ney, and two copies of the largest tensor. A third more lets the collector
   * find one free area for all rows.
   */
  public long heapBytes() {
    long used =
        Double.BYTES * numInRows()
            + GramTable.heapBytes(numHistories + 1, numHistories * (order - 1))
            + KneserNey.heapBytes(order, numInRows())
            + 2 * Float.BYTES * numInLargestTensor();
    return used + used / 3;
  }

  /**
   * {@return whether a machine can construct and hold the model: the model, the heap and the
   * largest array fit}
   *
   * @param memory bytes of the machine
   * @param heap bytes of the Java heap
   */
  public boolean fit(long memory, long heap) {
    return bytes() <= memory && heapBytes() <= heap && numInLargestArray() <= LARGEST_ARRAY;
  }
}
