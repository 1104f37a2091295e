package org.lengthwise.dataprep.shard;

import java.util.List;
import org.lengthwise.config.Checks;

/** A split in the manifest. Its tokens include end-of-text. */
public record SplitEntry(long documents, long tokens, List<ShardEntry> shards) {

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

  public static SplitEntry of(List<ShardEntry> shards) {
    return new SplitEntry(
        shards.stream().mapToLong(ShardEntry::documents).sum(),
        shards.stream().mapToLong(ShardEntry::tokens).sum(),
        shards);
  }
}
