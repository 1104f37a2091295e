package org.lengthwise.training.data;

import java.util.function.LongUnaryOperator;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.shard.TokenStream;

/**
 * A split cut into windows of T + 1 tokens, each beginning at the last token of the one before, so
 * that every token but the first is predicted once.
 */
public final class Windows {
  private final TokenStream stream;
  private final int length;
  private final long numWindows;

  /**
   * The windows of a split.
   *
   * @param stream the split's tokens
   * @param length T
   * @param name what the split is called in errors
   * @throws DataFormatException if there is not one whole window
   */
  public Windows(TokenStream stream, int length, String name) {
    this.stream = stream;
    this.length = length;
    this.numWindows = (stream.numTokens() - 1) / length;
    if (numWindows < 1) {
      throw new DataFormatException(
          name + " split",
          "at least " + (length + 1) + " tokens, one training sequence and its last target",
          stream.numTokens() + " tokens",
          "prepare more text, or lower training.length");
    }
  }

  /**
   * How many windows there are.
   *
   * @return the number of windows; tokens left over at the end are not used
   */
  public long numWindows() {
    return numWindows;
  }

  /**
   * Reads windows.
   *
   * @param count B
   * @param index the window of each sequence 0..B-1
   * @return the sequences
   */
  public Sequences read(int count, LongUnaryOperator index) {
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
    return new Sequences(count, length, tokens, targets);
  }
}
