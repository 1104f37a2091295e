package org.lengthwise.dataprep.prepare;

import java.util.Map;
import java.util.Objects;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/**
 * The counts of written, rejected, skipped and dropped documents.
 *
 * @param seconds how long the preparation took, over all attempts
 */
public record PrepareSummary(Map<Split, SplitEntry> splits, Tally tally, double seconds) {

  public PrepareSummary {
    splits = Map.copyOf(splits);
  }

  public SplitEntry split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  public long documents() {
    return splits.values().stream().mapToLong(SplitEntry::documents).sum();
  }

  /** {@return the number of tokens, including the end-of-text token of each document} */
  public long tokens() {
    return splits.values().stream().mapToLong(SplitEntry::tokens).sum();
  }

  /** {@return the mean bytes of UTF-8 of a token's text, without the end-of-text tokens} */
  public double bytesPerToken() {
    return (double) tally.textBytes() / (tokens() - documents());
  }

  public double megabytesPerSecond() {
    return tally.textBytes() / 1e6 / seconds;
  }
}
