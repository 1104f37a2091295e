package org.lengthwise.dataprep.prepare;

import java.util.Map;
import java.util.Objects;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/**
 * The counts of written, rejected, skipped and dropped documents.
 *
 * @param splits the shards of each split
 * @param tally the counts of rejected, skipped and dropped documents, and the length of the written
 *     documents
 * @param seconds how long the preparation took, over all attempts
 */
public record PrepareSummary(Map<Split, SplitEntry> splits, Tally tally, double seconds) {

  /** Takes a copy. */
  public PrepareSummary {
    splits = Map.copyOf(splits);
  }

  /** {@return the counts and shards of one split} */
  public SplitEntry split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  /** {@return the number of documents in all splits} */
  public long documents() {
    return splits.values().stream().mapToLong(SplitEntry::documents).sum();
  }

  /**
   * {@return the number of tokens in all splits, including the end-of-text token of each document}
   */
  public long tokens() {
    return splits.values().stream().mapToLong(SplitEntry::tokens).sum();
  }

  /** {@return the mean bytes of UTF-8 of a token's text, without the end-of-text tokens} */
  public double bytesPerToken() {
    return (double) tally.textBytes() / (tokens() - documents());
  }

  /** {@return the speed of the preparation, in millions of bytes of text per second} */
  public double megabytesPerSecond() {
    return tally.textBytes() / 1e6 / seconds;
  }
}
