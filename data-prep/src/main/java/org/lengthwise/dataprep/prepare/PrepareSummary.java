package org.lengthwise.dataprep.prepare;

import java.util.Map;
import java.util.Objects;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/**
 * What a run of preparation did.
 *
 * @param splits what each split holds
 * @param textBytes the length of all documents in UTF-8
 * @param rejects how many records were set aside as malformed
 * @param passedOver how many entries of archives were of a binary format, or empty
 * @param duplicates how many documents were left out because their text had occurred
 * @param seconds how long it took, over all attempts that went into it
 */
public record PrepareSummary(
    Map<Split, SplitEntry> splits,
    long textBytes,
    long rejects,
    long passedOver,
    long duplicates,
    double seconds) {

  /** Takes a copy. */
  public PrepareSummary {
    splits = Map.copyOf(splits);
  }

  /**
   * What one split holds.
   *
   * @param split which one
   * @return its counts and shards
   */
  public SplitEntry split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  /**
   * The number of documents.
   *
   * @return over all splits
   */
  public long documents() {
    return splits.values().stream().mapToLong(SplitEntry::documents).sum();
  }

  /**
   * The number of tokens.
   *
   * @return over all splits, each document's end-of-text included
   */
  public long tokens() {
    return splits.values().stream().mapToLong(SplitEntry::tokens).sum();
  }

  /**
   * How much text a token stands for.
   *
   * @return bytes of UTF-8 over tokens, end-of-text not counted as one
   */
  public double bytesPerToken() {
    return (double) textBytes / (tokens() - documents());
  }

  /**
   * How fast it went.
   *
   * @return millions of bytes of text a second
   */
  public double megabytesPerSecond() {
    return textBytes / 1e6 / seconds;
  }
}
