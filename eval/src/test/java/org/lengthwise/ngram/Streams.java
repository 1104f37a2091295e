package org.lengthwise.ngram;

import org.apache.arrow.memory.BufferAllocator;
import org.lengthwise.dataprep.shard.TokenStream;

/** Sorted streams of tokens in memory. */
final class Streams {
  private Streams() {}

  static SuffixOrder sorted(int order, int vocabulary, int[] train, BufferAllocator allocator) {
    return new SuffixOrder(
        order, vocabulary, TokenStream.of(train), train.length, allocator, sorted -> {});
  }
}
