package org.lengthwise.dataprep.shard;

import java.util.Objects;

/**
 * Where a document came from, kept beside its tokens.
 *
 * @param source the input's URI, with the member's name when the input is an archive
 * @param record the document's position in the source: its line or record number
 * @param bytes the length of its text in UTF-8 bytes
 */
public record DocumentInfo(String source, long record, long bytes) {

  /** Checks the ranges. */
  public DocumentInfo {
    Objects.requireNonNull(source, "source");
    if (record < 0) {
      throw new IllegalArgumentException("record must not be negative, found " + record);
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, found " + bytes);
    }
  }
}
