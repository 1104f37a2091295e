package org.lengthwise.dataprep.shard;

import java.nio.CharBuffer;
import java.nio.IntBuffer;

/**
 * The tokens of one record batch, contiguous in the mapped file.
 *
 * <p>A run reads its bytes by index only, without a position, so several threads may share it.
 */
sealed interface TokenRun {
  int numTokens();

  void copy(int offset, int[] destination, int from, int count);

  /**
   * Tokens of two bytes each.
   *
   * @param ids the batch's tokens; char is Java's only unsigned type of two bytes
   */
  record Narrow(CharBuffer ids) implements TokenRun {
    @Override
    public int numTokens() {
      return ids.limit();
    }

    @Override
    public void copy(int offset, int[] destination, int from, int count) {
      // Indices from 0 let the compiler vectorise the loop and avoid an allocation for the slice.
      CharBuffer window = ids.slice(offset, count);
      for (int i = 0; i < count; i++) {
        destination[from + i] = window.get(i);
      }
    }
  }

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
