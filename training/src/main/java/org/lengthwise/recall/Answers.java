package org.lengthwise.recall;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.config.InvalidValueException;

/** Collects the answers of a string while a rule reads its ids. */
final class Answers {
  private final int[] ids;
  private final int[] targets;
  private final int[] distance;

  Answers(int[] ids) {
    this.ids = ids;
    this.targets = new int[ids.length];
    this.distance = new int[ids.length];
    Arrays.fill(targets, RecallString.NONE);
    Arrays.fill(distance, RecallString.NONE);
  }

  void require(boolean holds, int t, String expected) {
    if (!holds) {
      String found = t < ids.length ? String.valueOf(ids[t]) : "the end of the string";
      throw new InvalidValueException("ids[" + t + "]", expected, found);
    }
  }

  void require(int id, int t, String name) {
    require(t < ids.length && ids[t] == id, t, name + " (" + id + ")");
  }

  boolean isIn(int t, int low, int high) {
    return t < ids.length && low <= ids[t] && ids[t] < high;
  }

  /** After reading ids[0..t] the token is asked that a place holds. */
  void ask(int t, int token, int place) {
    targets[t] = token;
    distance[t] = t - place;
  }

  RecallString string() {
    return new RecallString(ids, targets, distance);
  }

  /**
   * Independent uniform numbers of 0..n-1. {@link Random#ints(long, int, int)} takes low bits of
   * its generator if n is a power of 2, and these repeat after 2^20 numbers.
   */
  static int[] uniform(int count, int n, Random random) {
    return IntStream.generate(() -> random.nextInt(n)).limit(count).toArray();
  }

  static int[] different(int count, int n, Random random) {
    int[] all = new int[n];
    Arrays.setAll(all, i -> i);
    for (int i = 0; i < count; i++) {
      int other = i + random.nextInt(n - i);
      int drawn = all[other];
      all[other] = all[i];
      all[i] = drawn;
    }
    return Arrays.copyOf(all, count);
  }
}
