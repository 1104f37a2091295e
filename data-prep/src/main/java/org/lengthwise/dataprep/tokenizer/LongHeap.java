package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;

/** A binary heap of primitive numbers. */
final class LongHeap {

  private long[] values;
  private int size;

  LongHeap(int capacity) {
    values = new long[Math.max(1, capacity)];
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1) + 1);
    }
    int at = size++;
    while (at > 0 && values[(at - 1) >> 1] > value) {
      values[at] = values[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    values[at] = value;
  }

  long removeLowest() {
    long lowest = values[0];
    long moved = values[--size];
    int at = 0;
    int child = lowerChild(at);
    while (child < size && values[child] < moved) {
      values[at] = values[child];
      at = child;
      child = lowerChild(at);
    }
    values[at] = moved;
    return lowest;
  }

  private int lowerChild(int at) {
    int left = 2 * at + 1;
    return left + 1 < size && values[left + 1] < values[left] ? left + 1 : left;
  }
}
