package org.lengthwise.automaton;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Draws strings of a language, at lengths at which the language has strings. */
@FunctionalInterface
interface Positives {

  int[] draw(int length, Random random);

  /** Uniform strings of a language with a large share of all strings. Others are drawn again. */
  static Positives uniform(Automaton language) {
    return until(
        language,
        (length, random) -> IntStream.generate(() -> random.nextInt(2)).limit(length).toArray());
  }

  private static Positives until(Automaton language, Positives attempt) {
    return (length, random) -> {
      int[] ids;
      do {
        ids = attempt.draw(length, random);
      } while (language.label(ids) == 0);
      return ids;
    };
  }

  /**
   * Balanced brackets of limited depth: 0 opens, 1 closes. An outer pair takes about three quarters
   * of the rest, so strings are deep: 7 to 10 at T = 100.
   */
  static Positives brackets(int depth) {
    return (length, random) -> {
      int[] ids = new int[length];
      nest(depth, length, ids, 0, random);
      return ids;
    };
  }

  /** Writes balanced brackets of an even length from a place, and returns the place after them. */
  private static int nest(int depth, int length, int[] ids, int begin, Random random) {
    int at = begin;
    while (depth > 0 && at < begin + length) {
      int room = begin + length - at - 2;
      double mean = 0.75 * room;
      int inside = (int) Math.floor(mean + 0.1 * mean * random.nextGaussian()) / 2 * 2;
      ids[at++] = 0;
      at = nest(depth - 1, Math.max(0, Math.min(room, inside)), ids, at, random);
      ids[at++] = 1;
    }
    return at;
  }

  /** {@return the ids of a string without 000} A third 0 is drawn again, so it becomes a 1. */
  static int[] withoutThreeZeros(int length, Random random) {
    int[] ids = new int[length];
    int zeros = 0;
    for (int t = 0; t < length; t++) {
      ids[t] = zeros == 2 ? 1 : random.nextInt(2);
      zeros = ids[t] == 0 ? zeros + 1 : 0;
    }
    return ids;
  }

  /**
   * Strings of the third Tomita language by runs. A run may be as long as the rest of the string,
   * so a string has few runs. Strings outside the language are drawn again.
   */
  static Positives runs(Automaton language) {
    return until(language, Positives::runs);
  }

  private static int[] runs(int length, Random random) {
    int[] ids = new int[length];
    int at = 0;
    int ones = 0;
    while (at < length) {
      int room = length - at;
      int symbol = random.nextInt(2);
      int run =
          symbol == 1 || ones % 2 == 0
              ? random.nextInt(room + 1)
              : 2 * random.nextInt(room / 2 + 1);
      Arrays.fill(ids, at, at + run, symbol);
      at += run;
      ones = symbol == 1 ? run : ones;
    }
    return ids;
  }
}
