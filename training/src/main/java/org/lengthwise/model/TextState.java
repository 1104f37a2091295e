package org.lengthwise.model;

import ai.djl.ndarray.NDArray;

/**
 * The state of a language model between two pieces of a text. A text may be long, so an
 * implementation keeps what it needs to read on, such as keys and values.
 */
public interface TextState extends AutoCloseable {

  /**
   * Reads the next piece of the text.
   *
   * @param tokens its token ids, at least one at the beginning of a text
   * @return the hidden state [1, d] of the last token, to be closed by the caller
   */
  NDArray append(int[] tokens);

  /**
   * Reads the next piece of the text.
   *
   * @param tokens its n token ids, at least one
   * @return the hidden states [n, d] of all of them, to be closed by the caller
   */
  NDArray appendAll(int[] tokens);

  /**
   * Forgets the last tokens, so that another continuation can be read.
   *
   * @param numTokens how many, fewer than were read
   * @return whether the state can go back; if not, nothing changes
   */
  default boolean cut(int numTokens) {
    return false;
  }

  @Override
  void close();
}
