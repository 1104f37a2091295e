package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;

/**
 * Which pairs of ids merge, and into which id; a merge with a lower id takes place first.
 *
 * <p>Implementation note: open addressing over both ids packed into one {@code int}, in a table
 * that is at most a quarter full.
 */
final class MergeTable {

  /** What {@link #merged} answers for a pair that does not merge: an id after all others. */
  static final int NONE = 0xFFFF;

  private static final int EMPTY = -1;
  private static final int SPREAD = 0x9E3779B9;

  private final int[] pairs;
  private final char[] merged;
  private final int shift;

  /**
   * Makes an empty table.
   *
   * @param capacity how many pairs it will hold; all ids are below it
   */
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

  /** The id that two neighbours merge into, or {@link #NONE}. */
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
