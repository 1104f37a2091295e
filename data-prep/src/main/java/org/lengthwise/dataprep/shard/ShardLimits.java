package org.lengthwise.dataprep.shard;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * The largest sizes of record batches and shards.
 *
 * @param batchTokens the largest record batch, unless a single document is longer
 * @param shardBytes the largest shard
 */
public record ShardLimits(@Unit("tokens") int batchTokens, @Unit("bytes") long shardBytes) {
  /** The largest limit: all offsets in a mapped shard must be ints. */
  static final long MAX_SHARD_BYTES = 1L << 30;

  public ShardLimits {
    Checks.atLeast("batch_tokens", batchTokens, 1);
    Checks.require(
        shardBytes >= 1 && shardBytes <= MAX_SHARD_BYTES,
        "shard_bytes",
        "from 1 to " + MAX_SHARD_BYTES,
        shardBytes);
  }
}
