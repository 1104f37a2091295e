package org.lengthwise.random;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * The numbers of {@link Random#nextGaussian}, bit by bit, by all processors. A first pass finds the
 * generator's state at each block; the logarithms, which take most of the time, run in parallel.
 */
public final class Gaussians {
  private static final int BLOCK = 1 << 16;

  /** Of the generator that {@link Random} specifies. */
  private static final long MULTIPLIER = 0x5DEECE66DL;

  private static final long MASK = (1L << 48) - 1;

  private Gaussians() {}

  /** Fills an array with the numbers of {@code new Random(seed)}, times a deviation. */
  public static void fill(float[] values, long seed, double deviation) {
    long[] states = new long[values.length / BLOCK + 1];
    states[0] = (seed ^ MULTIPLIER) & MASK;
    for (int block = 1; block < states.length; block++) {
      states[block] = draw(states[block - 1], new float[0], 0, BLOCK, deviation);
    }
    IntStream.range(0, states.length)
        .parallel()
        .forEach(block -> draw(states[block], values, block * BLOCK, values.length, deviation));
  }

  /** Draws a block, stores the numbers that have a place, and returns the state after it. */
  private static long draw(long first, float[] values, int from, int to, double deviation) {
    long state = first;
    for (int i = from; i < Math.min(from + BLOCK, to); i += 2) {
      double x;
      double y;
      double squares;
      do {
        long high = next(state);
        long low = next(high);
        x = symmetric(high, low);
        high = next(low);
        state = next(high);
        y = symmetric(high, state);
        squares = x * x + y * y;
      } while (squares >= 1 || squares == 0);
      if (i < values.length) {
        double factor = StrictMath.sqrt(-2 * StrictMath.log(squares) / squares);
        values[i] = (float) (x * factor * deviation);
        if (i + 1 < values.length) {
          values[i + 1] = (float) (y * factor * deviation);
        }
      }
    }
    return state;
  }

  private static long next(long state) {
    return (state * MULTIPLIER + 0xBL) & MASK;
  }

  /** A number between -1 and 1 from 26 and 27 bits of two states. */
  private static double symmetric(long high, long low) {
    return 2 * (((high >>> 22 << 27) + (low >>> 21)) * 0x1.0p-53) - 1;
  }
}
