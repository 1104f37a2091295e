package org.lengthwise.dataprep.shard;

import java.util.Objects;

/**
 * A document in a shard folder.
 *
 * @param info where it came from
 * @param position the place of its first token in the stream of its split
 * @param numTokens its length, end-of-text included
 */
public record StoredDocument(DocumentInfo info, long position, int numTokens) {

  /** Checks the ranges. */
  public StoredDocument {
    Objects.requireNonNull(info, "info");
    if (position < 0 || numTokens < 1) {
      throw new IllegalArgumentException(
          "a document lies at 0 or later with at least one token, found %d, %d"
              .formatted(position, numTokens));
    }
  }
}
