package org.lengthwise.ngram;

import org.apache.arrow.memory.BufferAllocator;
import org.lengthwise.dataprep.shard.TokenStream;

/** Sorted streams of tokens in memory. */
final class Streams {
  private Streams() {}

  record Tokens(int[] tokens) implements TokenStream {
    @Override
    public long numTokens() {
      return tokens.length;
    }

    @Override
    public void read(long offset, int[] destination, int from, int count) {
      System.arraycopy(tokens, (int) offset, destination, from, count);
    }
  }

  static SuffixOrder sorted(int order, int vocabulary, int[] train, BufferAllocator allocator) {
    return new SuffixOrder(
        order, vocabulary, new Tokens(train), train.length, allocator, sorted -> {});
  }
}
