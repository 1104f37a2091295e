package org.lengthwise.dataprep.shard;

import java.util.Objects;
import org.lengthwise.config.Checks;

/**
 * The identity of a tokenizer. A model reads only tokens of the tokenizer that it was trained with.
 *
 * @param name its name on the command line
 * @param sha256 the SHA-256 of its vocabulary in hexadecimal
 * @param vocabularySize V, the number of ids
 * @param endOfText the id that ends a document
 */
public record TokenizerIdentity(String name, String sha256, int vocabularySize, int endOfText) {

  /** Requires a SHA-256 and an end-of-text id below the vocabulary size. */
  public TokenizerIdentity {
    Objects.requireNonNull(name, "name");
    Checks.sha256("sha256", sha256);
    Checks.atLeast("vocabulary_size", vocabularySize, 1);
    Checks.require(
        endOfText >= 0 && endOfText < vocabularySize,
        "end_of_text",
        "an id below vocabulary_size " + vocabularySize,
        endOfText);
  }
}
