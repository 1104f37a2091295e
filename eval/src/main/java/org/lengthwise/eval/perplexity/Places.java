package org.lengthwise.eval.perplexity;

import java.util.Arrays;

/**
 * Where a chunk can end: in each stretch of a split the first offset that has the whole chunk
 * before it, and every so many tokens from there on.
 */
final class Places {
  private final Stretches stretches;
  private final int chunk;
  private final int step;

  /** How many places the stretches before each have, and last all of them. */
  private final long[] before;

  /**
   * Finds the places.
   *
   * @param stretches what a chunk must not leave
   * @param chunk its tokens
   * @param step the tokens between two places
   */
  Places(Stretches stretches, int chunk, int step) {
    this.stretches = stretches;
    this.chunk = chunk;
    this.step = step;
    this.before = new long[stretches.count() + 1];
    for (int i = 0; i < stretches.count(); i++) {
      long spare = stretches.numTokens(i) - chunk;
      before[i + 1] = before[i] + (spare < 0 ? 0 : spare / step + 1);
    }
  }

  long count() {
    return before[stretches.count()];
  }

  /** The offset of a place, from 0 to {@link #count()} - 1 in the order of the text. */
  long offset(long place) {
    int found = Arrays.binarySearch(before, place);
    int stretch = found >= 0 ? found : -found - 2;
    while (before[stretch + 1] == before[stretch]) {
      stretch++; // without places of its own, it starts with the same number as the next one
    }
    return stretches.start(stretch) + chunk - 1 + (place - before[stretch]) * step;
  }
}
