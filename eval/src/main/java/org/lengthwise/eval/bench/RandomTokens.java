package org.lengthwise.eval.bench;

import org.lengthwise.dataprep.shard.TokenStream;

/** Tokens in memory. */
final class RandomTokens implements TokenStream {
  private final int[] tokens;

  RandomTokens(int[] tokens) {
    this.tokens = tokens.clone();
  }

  @Override
  public long numTokens() {
    return tokens.length;
  }

  @Override
  public void read(long offset, int[] destination, int from, int length) {
    System.arraycopy(tokens, Math.toIntExact(offset), destination, from, length);
  }
}
