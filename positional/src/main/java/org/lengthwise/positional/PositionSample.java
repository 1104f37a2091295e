package org.lengthwise.positional;

import java.util.Random;

/**
 * Numbers of a range, in ascending order, that stand for 0..T-1 in a pass.
 *
 * @param range L; the numbers are 0..L-1
 */
public record PositionSample(int range, int[] numbers) {
  /** An odd number by which lengths of a seed are told apart: 2^64 over the golden ratio. */
  private static final long STEP = 0x9E3779B97F4A7C15L;

  /**
   * {@return a sample, by these values only, in which all allowed sets are equally likely}
   *
   * @param fixed how many numbers are always there, the first ones
   * @throws IllegalArgumentException if T exceeds L
   */
  static PositionSample draw(long seed, int length, int range, int fixed) {
    if (length > range) {
      throw new IllegalArgumentException(
          "expected at most %s positions, found %s".formatted(range, length));
    }
    Random random = new Random(seed + STEP * length);
    int[] numbers = new int[length];
    int taken = 0;
    for (int i = 0; taken < length; i++) {
      // Selection sampling (Knuth, The Art of Computer Programming, 3.4.2, algorithm S)
      if (i < fixed || random.nextDouble() * (range - i) < length - taken) {
        numbers[taken++] = i;
      }
    }
    return new PositionSample(range, numbers);
  }

  long at(long place) {
    return numbers[Math.toIntExact(Math.abs(place))];
  }
}
