package org.lengthwise.dataprep.shard;

import org.apache.arrow.memory.ArrowBuf;

/**
 * The tokens of one record batch: a gapless piece of the stream, lying in the mapped file.
 *
 * @param values the values buffer of the batch's lists
 * @param width how a token is stored
 * @param numTokens the number of tokens in the buffer
 */
record TokenRun(ArrowBuf values, TokenWidth width, int numTokens) {

  void copy(int offset, int[] destination, int from, int count) {
    width.copy(values, offset, destination, from, count);
  }
}
