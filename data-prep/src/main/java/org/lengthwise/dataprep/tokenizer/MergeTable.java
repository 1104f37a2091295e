package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;

/**
 * The pairs of ids that merge, with the merged id. Merges with lower ids come first.
 *
 * <p>Implementation note: a hash table with open addressing, at most a quarter full. A key is both
 * ids in one {@code int}.
 */
final class MergeTable {

  /** The result of {@link #merged} for a pair that does not merge; higher than all ids. */
  static final int NONE = 0xFFFF;

  private static final int EMPTY = -1;
  private static final int SPREAD = 0x9E3779B9;

  private final int[] pairs;
  private final char[] merged;
  private final int shift;

  /** All ids are below the capacity, which is also the most pairs. */
  MergeTable(int capacity) {
    if (capacity > NONE) {
      throw new IllegalArgumentException("expected at most " + NONE + " ids, found " + capacity);
    }
    int size = Integer.highestOneBit(capacity) << 3;
    pairs = new int[size];
    Arrays.fill(pairs, EMPTY);
    merged = new char[size];
    shift = Integer.numberOfLeadingZeros(size) + 1;
  }

  void put(int left, int right, int id) {
    int slot = slotOf(left << 16 | right);
    pairs[slot] = left << 16 | right;
    merged[slot] = (char) id;
  }

  int merged(int left, int right) {
    int slot = slotOf(left << 16 | right);
    return pairs[slot] == EMPTY ? NONE : merged[slot];
  }

  private int slotOf(int pair) {
    int slot = (pair * SPREAD) >>> shift;
    while (pairs[slot] != pair && pairs[slot] != EMPTY) {
      slot = (slot + 1) & (pairs.length - 1);
    }
    return slot;
  }
}
