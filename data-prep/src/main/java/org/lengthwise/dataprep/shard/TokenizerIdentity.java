package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * Which tokenizer made the tokens, so that a model meets only ids that mean what it learned.
 *
 * @param name the name it is chosen by
 * @param sha256 the checksum of its vocabulary, 64 hexadecimal digits in lower case
 * @param vocabularySize the number of ids; every id is below it
 * @param endOfText the id that ends a document
 */
public record TokenizerIdentity(String name, String sha256, int vocabularySize, int endOfText) {

  /** Checks the ranges. */
  public TokenizerIdentity {
    Objects.requireNonNull(name, "name");
    Sha256.require("sha256", sha256);
    if (vocabularySize < 1) {
      throw new IllegalArgumentException(
          "vocabularySize must be positive, found " + vocabularySize);
    }
    if (endOfText < 0 || endOfText >= vocabularySize) {
      throw new IllegalArgumentException(
          "endOfText must be in [0, %d), found %d".formatted(vocabularySize, endOfText));
    }
  }
}
