package org.lengthwise.dataprep.prepare;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardLimits;

/**
 * The settings that decide the output, together with the inputs and the tokenizer: the content of
 * {@code conf/prepare.yaml}.
 *
 * @param split the share of documents that each split gets
 * @param rejectLimit the most malformed records that are rejected before the run stops; 0 stops at
 *     the first
 * @param documentByteLimit the longest document, or line of JSON; longer ones are rejected
 * @param dedup which documents are dropped because an earlier one has the same text
 * @param shards the largest sizes of record batches and shards
 */
public record PrepareSettings(
    SplitFractions split,
    @Unit("records") int rejectLimit,
    @Unit("bytes") int documentByteLimit,
    Deduplication dedup,
    ShardLimits shards) {

  private static final int LARGEST_DOCUMENT = 1 << 29;

  /** Requires a reject limit of at least 0 and a byte limit from 1 to 2^29. */
  public PrepareSettings {
    Checks.atLeast("reject_limit", rejectLimit, 0);
    Checks.require(
        documentByteLimit >= 1 && documentByteLimit <= LARGEST_DOCUMENT,
        "document_byte_limit",
        "from 1 to " + LARGEST_DOCUMENT,
        documentByteLimit);
  }

  /** These settings without deduplication. */
  PrepareSettings withoutDeduplication() {
    return new PrepareSettings(split, rejectLimit, documentByteLimit, Deduplication.NONE, shards);
  }

  /** Which documents are dropped because an earlier one has the same text. */
  public enum Deduplication {
    /** No document is dropped. */
    NONE,
    /** A document is dropped if its {@linkplain TextKey normalised text} occurred before. */
    EXACT
  }
}
