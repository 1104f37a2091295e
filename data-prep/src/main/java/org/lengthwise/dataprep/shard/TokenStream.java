package org.lengthwise.dataprep.shard;

/**
 * The tokens of one split as a single sequence of documents. Each document ends with the
 * end-of-text token.
 *
 * <p>Safe for use by several threads until its folder is closed.
 */
public interface TokenStream {

  /** {@return the number of tokens, end-of-text included} */
  long numTokens();

  /**
   * Copies {@code count} tokens from an offset in the stream to an index in an array.
   *
   * @throws IndexOutOfBoundsException if the window is not inside the stream and the array
   * @throws IllegalStateException if the folder is closed
   */
  void read(long offset, int[] destination, int from, int count);

  /** {@return a stream of tokens in memory} */
  static TokenStream of(int... tokens) {
    return new TokenStream() {
      @Override
      public long numTokens() {
        return tokens.length;
      }

      @Override
      public void read(long offset, int[] destination, int from, int count) {
        System.arraycopy(tokens, Math.toIntExact(offset), destination, from, count);
      }
    };
  }
}
