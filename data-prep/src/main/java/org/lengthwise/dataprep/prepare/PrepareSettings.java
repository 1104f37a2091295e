package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.source.Reading;
import org.lengthwise.dataprep.source.TokenFiles;

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
 * @param textColumn the key of a JSON record, or the column of a Parquet file, that holds the text;
 *     {@code a.b} is the field b of a
 * @param tokens how files of token ids are read; absent for files of text
 * @param zstdWindowLog the largest window of a zstd file that is read, as a power of two of bytes
 */
public record PrepareSettings(
    SplitFractions split,
    @Unit("records") int rejectLimit,
    @Unit("bytes") int documentByteLimit,
    Deduplication dedup,
    ShardLimits shards,
    @AbsentMeans("\"text\"") String textColumn,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable TokenFiles tokens,
    @AbsentMeans("27") int zstdWindowLog) {

  private static final int LARGEST_DOCUMENT = 1 << 29;
  private static final int SMALLEST_WINDOW_LOG = 10;
  private static final int LARGEST_WINDOW_LOG = 31;

  public PrepareSettings {
    Checks.atLeast("reject_limit", rejectLimit, 0);
    Checks.require(
        documentByteLimit >= 1 && documentByteLimit <= LARGEST_DOCUMENT,
        "document_byte_limit",
        "from 1 to " + LARGEST_DOCUMENT,
        documentByteLimit);
    Checks.require(!textColumn.isBlank(), "text_column", "a name", textColumn);
    Checks.require(
        zstdWindowLog >= SMALLEST_WINDOW_LOG && zstdWindowLog <= LARGEST_WINDOW_LOG,
        "zstd_window_log",
        "from %s to %s".formatted(SMALLEST_WINDOW_LOG, LARGEST_WINDOW_LOG),
        zstdWindowLog);
  }

  /** Settings for text under {@code text}. */
  public PrepareSettings(
      SplitFractions split,
      int rejectLimit,
      int documentByteLimit,
      Deduplication dedup,
      ShardLimits shards) {
    this(
        split,
        rejectLimit,
        documentByteLimit,
        dedup,
        shards,
        Reading.TEXT.textColumn(),
        null,
        Reading.ZSTD_WINDOW_LOG);
  }

  /** {@return what the names of the inputs do not say about their documents} */
  public Reading reading() {
    return new Reading(textColumn, tokens, zstdWindowLog);
  }

  public PrepareSettings withTokens(TokenFiles files) {
    return new PrepareSettings(
        split, rejectLimit, documentByteLimit, dedup, shards, textColumn, files, zstdWindowLog);
  }

  PrepareSettings withoutDeduplication() {
    return new PrepareSettings(
        split,
        rejectLimit,
        documentByteLimit,
        Deduplication.NONE,
        shards,
        textColumn,
        tokens,
        zstdWindowLog);
  }

  /** Which documents are dropped because an earlier one has the same text. */
  public enum Deduplication {
    /** No document is dropped. */
    NONE,
    /** A document is dropped if its {@linkplain TextKey normalised text} occurred before. */
    EXACT
  }
}
