package org.lengthwise.dataprep.shard;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The stream of a split over the runs of its mapped shards. */
final class SplitTokens implements TokenStream {
  /** Keeps the mappings of the runs reachable. */
  private final List<MappedShard> shards;

  private final TokenRun[] runs;

  /** The position of each run in the stream; ascending. */
  private final long[] starts;

  private final long numTokens;
  private boolean verified;
  private volatile boolean closed;

  SplitTokens(List<MappedShard> shards) {
    this.shards = List.copyOf(shards);
    runs = shards.stream().flatMap(shard -> shard.runs().stream()).toArray(TokenRun[]::new);
    starts = new long[runs.length];
    long position = 0;
    for (int i = 0; i < runs.length; i++) {
      starts[i] = position;
      position += runs[i].numTokens();
    }
    numTokens = position;
  }

  List<MappedShard> shards() {
    return shards;
  }

  @Override
  public long numTokens() {
    return numTokens;
  }

  @Override
  public void read(long offset, int[] destination, int from, int count) {
    Objects.checkFromIndexSize(offset, count, numTokens);
    Objects.checkFromIndexSize(from, count, destination.length);
    if (closed) {
      throw new IllegalStateException("the shard folder of this stream is closed");
    }
    try {
      copy(offset, destination, from, count);
    } finally {
      Reference.reachabilityFence(shards);
    }
  }

  synchronized void verify() {
    if (!verified) {
      shards.parallelStream().forEach(MappedShard::verifyChecksum);
      verified = true;
    }
  }

  void close() {
    closed = true;
  }

  private void copy(long offset, int[] destination, int from, int count) {
    int run = runAt(offset);
    int copied = 0;
    while (copied < count) {
      int skip = Math.toIntExact(offset + copied - starts[run]);
      int size = Math.min(count - copied, runs[run].numTokens() - skip);
      runs[run].copy(skip, destination, from + copied, size);
      copied += size;
      run++;
    }
  }

  private int runAt(long offset) {
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found : -found - 2;
  }
}
