package org.lengthwise.dataprep.shard;

import java.util.List;

/**
 * One split, as the manifest lists it.
 *
 * @param documents the number of documents in it
 * @param tokens the number of tokens in it, end-of-text included
 * @param shards its shards, in the order in which they are read
 */
public record SplitEntry(long documents, long tokens, List<ShardEntry> shards) {

  /** Checks that the counts are those of the shards. */
  public SplitEntry {
    shards = List.copyOf(shards);
    long shardDocuments = shards.stream().mapToLong(ShardEntry::documents).sum();
    long shardTokens = shards.stream().mapToLong(ShardEntry::tokens).sum();
    if (documents != shardDocuments || tokens != shardTokens) {
      throw new IllegalArgumentException(
          "a split counts what its shards hold (%d documents, %d tokens), found %d documents, %d tokens"
              .formatted(shardDocuments, shardTokens, documents, tokens));
    }
  }

  /**
   * The entry of a split whose shards are written.
   *
   * @param shards its shards in order, none when no document fell into it
   * @return the entry, with the shards' counts summed
   */
  public static SplitEntry of(List<ShardEntry> shards) {
    return new SplitEntry(
        shards.stream().mapToLong(ShardEntry::documents).sum(),
        shards.stream().mapToLong(ShardEntry::tokens).sum(),
        shards);
  }
}
