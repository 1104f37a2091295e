package org.lengthwise.dataprep.shard;

/**
 * How large record batches and shards grow.
 *
 * @param batchTokens the number of tokens that a record batch does not exceed, unless one document
 *     alone does
 * @param shardBytes the number of bytes that no shard exceeds, at most 1 GiB
 */
public record ShardLimits(int batchTokens, long shardBytes) {
  /** The largest permitted shard: one mapping, and every offset in it, stays within an int. */
  static final long MAX_SHARD_BYTES = 1L << 30;

  /** Checks the ranges. */
  public ShardLimits {
    if (batchTokens < 1) {
      throw new IllegalArgumentException("batchTokens must be positive, found " + batchTokens);
    }
    if (shardBytes < 1 || shardBytes > MAX_SHARD_BYTES) {
      throw new IllegalArgumentException(
          "shardBytes must be in [1, %d], found %d".formatted(MAX_SHARD_BYTES, shardBytes));
    }
  }
}
