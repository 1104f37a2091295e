package org.lengthwise.dataprep.shard;

import java.nio.CharBuffer;
import java.nio.IntBuffer;

/**
 * The tokens of one record batch: a gapless piece of the stream, lying in the mapped file.
 *
 * <p>A run keeps one view of its bytes and reads it by index alone, so several threads may share
 * it.
 */
sealed interface TokenRun {
  /** The number of tokens in the batch. */
  int numTokens();

  /** Copies a part of the run into an array, each token widened to int. */
  void copy(int offset, int[] destination, int from, int count);

  /**
   * Tokens of two bytes each.
   *
   * @param ids the batch's tokens; a char is the one unsigned type of two bytes
   */
  record Narrow(CharBuffer ids) implements TokenRun {
    @Override
    public int numTokens() {
      return ids.limit();
    }

    @Override
    public void copy(int offset, int[] destination, int from, int count) {
      // Indices from 0 on let the compiler vectorise the loop; it keeps the slice off the heap.
      CharBuffer window = ids.slice(offset, count);
      for (int i = 0; i < count; i++) {
        destination[from + i] = window.get(i);
      }
    }
  }

  /**
   * Tokens of four bytes each.
   *
   * @param ids the batch's tokens
   */
  record Wide(IntBuffer ids) implements TokenRun {
    @Override
    public int numTokens() {
      return ids.limit();
    }

    @Override
    public void copy(int offset, int[] destination, int from, int count) {
      ids.get(offset, destination, from, count);
    }
  }
}
