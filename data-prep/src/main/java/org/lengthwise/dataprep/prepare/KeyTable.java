package org.lengthwise.dataprep.prepare;

/**
 * A set of keys that needs about 20 bytes per key.
 *
 * <p>The first bits of a key decide its segment of the table. Within a segment, the slot of a key
 * is proportional to the key's remaining bits, or it is the next free slot (open addressing). A
 * segment that is 85 % full grows by a quarter. Segments grow one at a time, so growth needs little
 * extra memory and time.
 *
 * <p>Implementation note: keys are digests, so their bits need no further hashing. A slot of zeros
 * is free; therefore the key of zeros is stored as the key (0, 1), and counts as equal to that key.
 */
final class KeyTable {

  private static final int SEGMENT_BITS = 12;
  private static final int FIRST_CAPACITY = 16;
  private static final double FULL = 0.85;

  /** The slots of each segment, of two longs each. */
  private final long[][] segments = new long[1 << SEGMENT_BITS][2 * FIRST_CAPACITY];

  private final int[] numKeys = new int[1 << SEGMENT_BITS];
  private long size;

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

  long size() {
    return size;
  }

  private static boolean insert(long[] slots, long high, long low) {
    int capacity = slots.length / 2;
    // The bits below the segment's, as a fraction of 2^64, times the capacity.
    int slot = (int) Math.multiplyHigh(high << SEGMENT_BITS >>> 1, 2L * capacity);
    while (slots[2 * slot] != 0 || slots[2 * slot + 1] != 0) {
      if (slots[2 * slot] == high && slots[2 * slot + 1] == low) {
        return false;
      }
      slot = slot + 1 == capacity ? 0 : slot + 1;
    }
    slots[2 * slot] = high;
    slots[2 * slot + 1] = low;
    return true;
  }

  private static long[] grown(long[] slots) {
    int capacity = slots.length / 2;
    long[] larger = new long[2 * (capacity + capacity / 4)];
    for (int slot = 0; slot < capacity; slot++) {
      if (slots[2 * slot] != 0 || slots[2 * slot + 1] != 0) {
        insert(larger, slots[2 * slot], slots[2 * slot + 1]);
      }
    }
    return larger;
  }
}
