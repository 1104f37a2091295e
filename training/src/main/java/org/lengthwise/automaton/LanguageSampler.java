package org.lengthwise.automaton;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * Draws strings of a language (label 1) and strings outside the language (label 0) alternately. At
 * a length with one label only, all strings have the same probability.
 *
 * @param withFlips whether the change of a near negative may be one other symbol; otherwise two
 *     different symbols are always swapped
 */
record LanguageSampler(
    Automaton automaton, Positives positives, Negatives negatives, boolean withFlips)
    implements Sampler {

  @Override
  public Draw at(int length) {
    RankedStrings outside = new RankedStrings(automaton, length, 0);
    RankedStrings inside = new RankedStrings(automaton, length, 1);
    if (outside.isEmpty() || inside.isEmpty()) {
      RankedStrings all = outside.isEmpty() ? inside : outside;
      return (index, random) -> all.draw(random);
    }
    return (index, random) -> {
      if (index % 2 == 1) {
        return positives.draw(length, random);
      }
      return negatives == Negatives.NEAR ? near(length, random) : outside.draw(random);
    };
  }

  private int[] near(int length, Random random) {
    int[] ids;
    do {
      ids = positives.draw(length, random);
      if (withFlips && random.nextBoolean()) {
        flip(ids, random.nextInt(length));
      } else {
        swap(ids, random);
      }
    } while (automaton.label(ids) == 1);
    return ids;
  }

  /** Swaps a 0 and a 1, if there are both. */
  private static void swap(int[] ids, Random random) {
    int[] zeros = places(ids, 0);
    int[] ones = places(ids, 1);
    if (zeros.length > 0 && ones.length > 0) {
      flip(ids, zeros[random.nextInt(zeros.length)]);
      flip(ids, ones[random.nextInt(ones.length)]);
    }
  }

  private static int[] places(int[] ids, int symbol) {
    return IntStream.range(0, ids.length).filter(t -> ids[t] == symbol).toArray();
  }

  private static void flip(int[] ids, int t) {
    ids[t] = 1 - ids[t];
  }
}
