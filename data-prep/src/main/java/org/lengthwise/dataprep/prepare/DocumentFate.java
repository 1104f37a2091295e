package org.lengthwise.dataprep.prepare;

import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.prepare.DocumentParser.ParsedDocument;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.DocumentOrigin;

/** The result for a raw document: it is written, dropped, rejected or skipped. */
sealed interface DocumentFate {

  /**
   * The document is written to a shard.
   *
   * @param tokens its tokens without end-of-text: the whole of an array
   * @param numBytes the length of its text in UTF-8
   * @param key equal for documents of equal text; null if duplicates are kept
   */
  record Tokenised(
      DocumentOrigin origin, Split split, IntBuffer tokens, int numBytes, @Nullable TextKey key)
      implements DocumentFate {}

  record Duplicate(DocumentOrigin origin) implements DocumentFate {}

  /**
   * The record is malformed and is written to the rejects file.
   *
   * @param content its bytes; empty if it was too long to be kept
   */
  record Rejected(DocumentOrigin origin, String reason, Bytes content)
      implements DocumentFate, ParsedDocument {}

  /** An archive entry without text. */
  record Skipped(DocumentOrigin origin) implements DocumentFate, ParsedDocument {}
}
