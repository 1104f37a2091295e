package org.lengthwise.eval.perplexity;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;

/** The parts of a split that a window must not leave: the whole split, or each of its documents. */
final class Stretches {
  private final boolean documents;

  /** Where each begins, and last where the split ends. */
  private final long[] bounds;

  private Stretches(boolean documents, long[] bounds) {
    this.documents = documents;
    this.bounds = bounds;
  }

  /** One stretch: windows run over document boundaries. */
  static Stretches whole(long numTokens) {
    return new Stretches(false, new long[] {0, numTokens});
  }

  /** One stretch for each document, its end-of-text token included. */
  static Stretches documents(IntStream lengths) {
    long[] counts = lengths.asLongStream().toArray();
    long[] bounds = new long[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      bounds[i + 1] = bounds[i] + counts[i];
    }
    return new Stretches(true, bounds);
  }

  /** Those of the test split. */
  static Stretches ofTest(ShardFolder shards, boolean withinDocument) {
    if (!withinDocument) {
      return whole(shards.tokens(Split.TEST).numTokens());
    }
    IntStream.Builder lengths = IntStream.builder();
    shards.visitLengths(Split.TEST, (numTokens, numBytes) -> lengths.add(numTokens));
    return documents(lengths.build());
  }

  boolean areDocuments() {
    return documents;
  }

  int count() {
    return bounds.length - 1;
  }

  long start(int stretch) {
    return bounds[stretch];
  }

  long numTokens(int stretch) {
    return bounds[stretch + 1] - bounds[stretch];
  }

  /** How many of them have so many tokens. */
  long countOf(int least) {
    return LongStream.range(0, count()).filter(i -> numTokens((int) i) >= least).count();
  }
}
