package org.lengthwise.training.data;

import org.lengthwise.training.RandomStreams;

/**
 * A pseudo-random order of windows, a fresh permutation for each epoch, in constant memory.
 *
 * <p>Implementation note: a balanced Feistel network of four rounds is a permutation of 0..4<sup>h
 * </sup>-1 whatever its round function; walking its cycles until a value falls below the number of
 * windows makes it a permutation of exactly those (Black and Rogaway, "Ciphers with Arbitrary
 * Finite Domains", CT-RSA 2002). Any position is computed without those before it.
 */
public final class WindowOrder {
  private static final int NUM_ROUNDS = 4;

  private final long numWindows;
  private final RandomStreams streams;
  private final int halfBits;
  private long keyEpoch = -1;
  private long key;

  /**
   * The order of a run.
   *
   * @param numWindows how many windows there are, at least 1
   * @param streams the run's randomness
   */
  public WindowOrder(long numWindows, RandomStreams streams) {
    if (numWindows < 1) {
      throw new IllegalArgumentException("expected at least one window, found " + numWindows);
    }
    this.numWindows = numWindows;
    this.streams = streams;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(numWindows - 1);
    this.halfBits = Math.max(1, (bits + 1) / 2);
  }

  /**
   * The window at a position of the endless order.
   *
   * @param position the number of windows drawn before, over all epochs
   * @return the window's index
   */
  public long window(long position) {
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
