package org.lengthwise.ngram;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * A set of grams. Each gram has a number, counted from 0. Tokens of a gram are indexed by age: the
 * newest token has age 0.
 *
 * <p>Implementation note: open addressing; grams with equal hashes are compared token by token.
 */
final class GramTable {
  private static final int FREE = -1;

  private int[] slots = filled(1 << 10);
  private int[] starts = new int[1 << 9];
  private int[] tokens = new int[1 << 10];
  private int size;

  GramTable() {
    starts[0] = 0;
  }

  /** {@return an upper bound of the memory of a set, in bytes} */
  static long heapBytes(long numGrams, long numTokens) {
    // At most 4 slots and 2 starts a gram, and 2 numbers a token, since arrays double. While one
    // grows, its old copy is half as large.
    return Integer.BYTES * (6 * numGrams + 3 * numGrams + 3 * numTokens);
  }

  private static int[] filled(int capacity) {
    int[] slots = new int[capacity];
    Arrays.fill(slots, FREE);
    return slots;
  }

  static long emptyHash() {
    return 0x9E3779B97F4A7C15L;
  }

  /** The hash of a gram with one more token before it (the finaliser of SplitMix64). */
  static long hash(long newer, int token) {
    long z = newer + (token + 1L) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 30) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static long hash(int length, IntUnaryOperator byAge) {
    long hash = emptyHash();
    for (int age = 0; age < length; age++) {
      hash = hash(hash, byAge.applyAsInt(age));
    }
    return hash;
  }

  int size() {
    return size;
  }

  /** The number of a gram. A new gram is added to the set. */
  int add(int length, IntUnaryOperator byAge) {
    int slot = slot(hash(length, byAge), length, byAge);
    if (slots[slot] == FREE) {
      slots[slot] = size;
      append(length, byAge);
      if (2 * size > slots.length) {
        grow();
      }
      return size - 1;
    }
    return slots[slot];
  }

  /** The number of a gram, or -1 if it was not added. */
  int find(int length, IntUnaryOperator byAge) {
    return find(hash(length, byAge), length, byAge);
  }

  /** The same with a hash that is known. */
  int find(long hash, int length, IntUnaryOperator byAge) {
    return slots[slot(hash, length, byAge)];
  }

  private int slot(long hash, int length, IntUnaryOperator byAge) {
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    while (slots[slot] != FREE && !isEqual(slots[slot], length, byAge)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private boolean isEqual(int gram, int length, IntUnaryOperator byAge) {
    if (length(gram) != length) {
      return false;
    }
    for (int age = 0; age < length; age++) {
      if (tokens[starts[gram] + age] != byAge.applyAsInt(age)) {
        return false;
      }
    }
    return true;
  }

  int length(int gram) {
    return starts[gram + 1] - starts[gram];
  }

  int token(int gram, int age) {
    return tokens[starts[gram] + age];
  }

  private void append(int length, IntUnaryOperator byAge) {
    int start = starts[size];
    if (start + length > tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * tokens.length + length);
    }
    for (int age = 0; age < length; age++) {
      tokens[start + age] = byAge.applyAsInt(age);
    }
    size++;
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    starts[size] = start + length;
  }

  private void grow() {
    slots = filled(2 * slots.length);
    for (int gram = 0; gram < size; gram++) {
      int first = starts[gram];
      IntUnaryOperator byAge = age -> tokens[first + age];
      slots[slot(hash(length(gram), byAge), length(gram), byAge)] = gram;
    }
  }
}
