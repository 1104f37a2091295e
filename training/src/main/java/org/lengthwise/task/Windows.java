package org.lengthwise.task;

import java.util.function.LongUnaryOperator;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.error.DataFormatException;

/**
 * A split in windows of T + 1 tokens. Each window begins at the last token of the previous one, so
 * every token except the first is a target exactly once.
 */
public final class Windows {
  private final TokenStream stream;
  private final int length;
  private final long numWindows;

  /** The windows of a split, of T = {@code length} tokens; errors have the split's name. */
  public Windows(TokenStream stream, int length, String name) {
    this.stream = stream;
    this.length = length;
    this.numWindows = (stream.numTokens() - 1) / length;
    if (numWindows < 1) {
      throw new DataFormatException(
          name + " split",
          "at least " + (length + 1) + " tokens, one training sequence and its last target",
          stream.numTokens() + " tokens",
          "prepare more documents or a larger share of them (split."
              + name
              + "), or lower"
              + " training.length");
    }
  }

  /** {@return the number of windows; an incomplete one at the end is not used} */
  public long numWindows() {
    return numWindows;
  }

  /** {@return the token before a window, which is not the first one} */
  int tokenBefore(long window) {
    int[] token = new int[1];
    stream.read(window * length - 1, token, 0, 1);
    return token[0];
  }

  /** {@return {@code count} windows} The index maps 0..count-1 to windows. */
  public Samples read(int count, LongUnaryOperator index) {
    int[] window = new int[length + 1];
    long[] tokens = new long[count * length];
    long[] targets = new long[count * length];
    for (int b = 0; b < count; b++) {
      stream.read(index.applyAsLong(b) * length, window, 0, window.length);
      for (int t = 0; t < length; t++) {
        tokens[b * length + t] = window[t];
        targets[b * length + t] = window[t + 1];
      }
    }
    return new Samples(count, tokens, targets);
  }
}
