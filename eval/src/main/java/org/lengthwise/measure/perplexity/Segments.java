package org.lengthwise.measure.perplexity;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;

/**
 * The parts of a split that a window must not leave: the whole split, or each of its documents.
 *
 * @param bounds the start of each segment, and the end of the split
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Segments(boolean areDocuments, long[] bounds) {

  /** One segment: windows cross document boundaries. */
  static Segments whole(long numTokens) {
    return new Segments(false, new long[] {0, numTokens});
  }

  /** One segment for each document, with its end-of-text token. */
  static Segments documents(IntStream lengths) {
    long[] counts = lengths.asLongStream().toArray();
    long[] bounds = new long[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      bounds[i + 1] = bounds[i] + counts[i];
    }
    return new Segments(true, bounds);
  }

  static Segments ofTest(ShardFolder shards, boolean withinDocument) {
    if (!withinDocument) {
      return whole(shards.tokens(Split.TEST).numTokens());
    }
    IntStream.Builder lengths = IntStream.builder();
    shards.visitLengths(Split.TEST, (numTokens, numBytes) -> lengths.add(numTokens));
    return documents(lengths.build());
  }

  int count() {
    return bounds.length - 1;
  }

  long start(int segment) {
    return bounds[segment];
  }

  long numTokens(int segment) {
    return bounds[segment + 1] - bounds[segment];
  }

  /** The number of segments with at least this number of tokens. */
  long countOf(int least) {
    return LongStream.range(0, count()).filter(i -> numTokens((int) i) >= least).count();
  }
}
