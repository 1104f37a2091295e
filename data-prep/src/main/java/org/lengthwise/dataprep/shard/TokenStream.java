package org.lengthwise.dataprep.shard;

/**
 * The tokens of one split as a single sequence: document after document, shard after shard, each
 * document ended by the end-of-text token.
 *
 * <p>Safe to read from several threads. Readable until the folder it came from is closed.
 */
public interface TokenStream {

  /**
   * The length of the sequence.
   *
   * @return the number of tokens, end-of-text included
   */
  long numTokens();

  /**
   * Copies a window of the sequence into an array.
   *
   * @param offset the position of the window's first token in the sequence
   * @param destination the array to fill
   * @param from where in the array to begin
   * @param count the number of tokens to copy
   * @throws IndexOutOfBoundsException when the window leaves the sequence or the array
   * @throws IllegalStateException when the folder is closed
   */
  void read(long offset, int[] destination, int from, int count);
}
