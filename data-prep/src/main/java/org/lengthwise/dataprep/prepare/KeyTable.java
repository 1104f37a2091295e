package org.lengthwise.dataprep.prepare;

/**
 * A set of keys that takes some 20 bytes for each of them and nothing else.
 *
 * <p>The table is divided into segments by the keys' first bits. In a segment, keys lie in the
 * order of their remaining bits as nearly as open addressing lets them: at the place that is
 * proportional to their value, or in the next free one. A segment that is nearly full grows by a
 * quarter, alone, so growing needs next to no memory beside the table, and no more than a segment's
 * time.
 *
 * <p>Implementation note: keys are digests, so no bit of them needs scrambling. The key of zeros
 * marks a free place; it is stored as another one, which it then equals.
 */
final class KeyTable {

  private static final int SEGMENT_BITS = 12;
  private static final int FIRST_CAPACITY = 16;
  private static final double FULL = 0.85;

  /** For each segment, its places, each of two longs. */
  private final long[][] segments = new long[1 << SEGMENT_BITS][2 * FIRST_CAPACITY];

  private final int[] numKeys = new int[1 << SEGMENT_BITS];
  private long size;

  /** Adds a key; false if it was there. */
  boolean add(TextKey key) {
    long high = key.high();
    long low = high == 0 && key.low() == 0 ? 1 : key.low();
    int segment = (int) (high >>> (Long.SIZE - SEGMENT_BITS));
    if (!insert(segments[segment], high, low)) {
      return false;
    }
    size++;
    numKeys[segment]++;
    int capacity = segments[segment].length / 2;
    if (numKeys[segment] > FULL * capacity) {
      segments[segment] = grown(segments[segment]);
    }
    return true;
  }

  /** The number of keys. */
  long size() {
    return size;
  }

  private static boolean insert(long[] places, long high, long low) {
    int capacity = places.length / 2;
    // The bits below the segment's, as a fraction of 2^64, times the capacity.
    int place = (int) Math.multiplyHigh(high << SEGMENT_BITS >>> 1, 2L * capacity);
    while (places[2 * place] != 0 || places[2 * place + 1] != 0) {
      if (places[2 * place] == high && places[2 * place + 1] == low) {
        return false;
      }
      place = place + 1 == capacity ? 0 : place + 1;
    }
    places[2 * place] = high;
    places[2 * place + 1] = low;
    return true;
  }

  private static long[] grown(long[] places) {
    int capacity = places.length / 2;
    long[] larger = new long[2 * (capacity + capacity / 4)];
    for (int place = 0; place < capacity; place++) {
      if (places[2 * place] != 0 || places[2 * place + 1] != 0) {
        insert(larger, places[2 * place], places[2 * place + 1]);
      }
    }
    return larger;
  }
}
