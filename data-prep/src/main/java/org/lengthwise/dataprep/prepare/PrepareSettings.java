package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.shard.ShardLimits;

/**
 * What decides the output beside the inputs and the tokenizer: the content of {@code
 * conf/prepare.yaml}.
 *
 * @param split the share of documents that each split gets
 * @param rejectLimit how many records may be set aside as malformed; 0 stops at the first
 * @param documentByteLimit the longest document, or line of JSON, that is taken in; longer ones are
 *     set aside
 * @param dedup which documents are left out because they repeat an earlier one
 * @param shards how large record batches and shards grow
 */
public record PrepareSettings(
    SplitFractions split,
    int rejectLimit,
    int documentByteLimit,
    Deduplication dedup,
    ShardLimits shards) {

  private static final int LARGEST_DOCUMENT = 1 << 29;

  /** Checks the ranges. */
  public PrepareSettings {
    if (rejectLimit < 0) {
      throw new IllegalArgumentException("rejectLimit must be at least 0, found " + rejectLimit);
    }
    if (documentByteLimit < 1 || documentByteLimit > LARGEST_DOCUMENT) {
      throw new IllegalArgumentException(
          "documentByteLimit must be in [1, %d], found %d"
              .formatted(LARGEST_DOCUMENT, documentByteLimit));
    }
  }

  /** The same, but for texts that may repeat. */
  PrepareSettings withoutDeduplication() {
    return new PrepareSettings(split, rejectLimit, documentByteLimit, Deduplication.NONE, shards);
  }
}
