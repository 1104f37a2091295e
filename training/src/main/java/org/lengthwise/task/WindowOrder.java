package org.lengthwise.task;

import org.lengthwise.random.RandomStreams;

/**
 * A pseudo-random order of windows in constant memory: a new permutation for each epoch.
 *
 * <p>Implementation note: a balanced Feistel network of four rounds is a permutation of 0..4<sup>h
 * </sup>-1 for any round function. Its cycles are followed until a value is below the number of
 * windows. The result is a permutation of the windows (Black and Rogaway, "Ciphers with Arbitrary
 * Finite Domains", CT-RSA 2002). A position is computed without the earlier ones.
 */
final class WindowOrder {
  private static final int NUM_ROUNDS = 4;

  private final long numWindows;
  private final RandomStreams streams;
  private final int halfBits;
  private long keyEpoch = -1;
  private long key;

  WindowOrder(long numWindows, RandomStreams streams) {
    if (numWindows < 1) {
      throw new IllegalArgumentException("expected at least one window, found " + numWindows);
    }
    this.numWindows = numWindows;
    this.streams = streams;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(numWindows - 1);
    this.halfBits = Math.max(1, (bits + 1) / 2);
  }

  /** The window at a position of the endless order: how many windows were drawn before it. */
  long window(long position) {
    long epoch = position / numWindows;
    if (epoch != keyEpoch) {
      key = streams.seedOf("windows/epoch-" + epoch);
      keyEpoch = epoch;
    }
    long value = position % numWindows;
    do {
      value = permute(value);
    } while (value >= numWindows);
    return value;
  }

  private long permute(long value) {
    long mask = (1L << halfBits) - 1;
    long left = value >>> halfBits;
    long right = value & mask;
    for (int round = 0; round < NUM_ROUNDS; round++) {
      long next = left ^ (mix(right + key + round * 0x9E3779B97F4A7C15L) & mask);
      left = right;
      right = next;
    }
    return left << halfBits | right;
  }

  /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
  private static long mix(long z) {
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}
