package org.lengthwise.measure.perplexity;

import java.util.Arrays;
import org.lengthwise.result.ScoredTargets;

/**
 * Windows of one length in a split, each with the same number of targets.
 *
 * @param length T_ex, at least 2
 * @param scored the number of last tokens of each window that are scored, from 1 to T_ex - 1
 * @param ends the offset of each window's last token, at least T_ex - 1
 */
@SuppressWarnings("ArrayRecordComponent") // Equal only to itself.
record ScoredWindows(int length, int scored, long[] ends) {
  ScoredWindows {
    if (length < 2 || scored < 1 || scored >= length) {
      throw new IllegalArgumentException(
          "expected windows of at least 2 tokens, with at least 1 and fewer than all scored, found %s of %s"
              .formatted(scored, length));
    }
  }

  int count() {
    return ends.length;
  }

  /** The offset of a window's first token. */
  long start(int window) {
    return ends[window] - length + 1;
  }

  long numTokens() {
    return (long) length * ends.length;
  }

  int numTargets() {
    return Math.multiplyExact(scored, ends.length);
  }

  /** The targets with their NLLs, window by window and each window in the order of the text. */
  ScoredTargets with(double[] nlls) {
    long[] targets = new long[numTargets()];
    int[] positions = new int[numTargets()];
    Arrays.setAll(targets, row -> ends[row / scored] - scored + 1 + row % scored);
    Arrays.setAll(positions, row -> length - scored + row % scored);
    return ScoredTargets.of(targets, positions, nlls);
  }
}
