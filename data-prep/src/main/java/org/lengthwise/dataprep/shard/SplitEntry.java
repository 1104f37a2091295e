package org.lengthwise.dataprep.shard;

import java.util.List;
import org.lengthwise.config.Checks;

/**
 * A split in the manifest.
 *
 * @param documents the number of documents in it
 * @param tokens the number of tokens in it, end-of-text included
 * @param shards its shards in the order of reading
 */
public record SplitEntry(long documents, long tokens, List<ShardEntry> shards) {

  /** Requires counts that are the sums over the shards. */
  public SplitEntry {
    shards = List.copyOf(shards);
    long shardDocuments = shards.stream().mapToLong(ShardEntry::documents).sum();
    long shardTokens = shards.stream().mapToLong(ShardEntry::tokens).sum();
    Checks.require(
        documents == shardDocuments,
        "documents",
        "the sum over shards, " + shardDocuments,
        documents);
    Checks.require(tokens == shardTokens, "tokens", "the sum over shards, " + shardTokens, tokens);
  }

  /**
   * {@return the entry of a split with given shards and the sums of their counts}
   *
   * @param shards its shards in order; empty if it has no documents
   */
  public static SplitEntry of(List<ShardEntry> shards) {
    return new SplitEntry(
        shards.stream().mapToLong(ShardEntry::documents).sum(),
        shards.stream().mapToLong(ShardEntry::tokens).sum(),
        shards);
  }
}
