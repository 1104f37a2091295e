package org.lengthwise.dataprep.shard;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Objects;
import org.lengthwise.config.Checks;

/**
 * The identity of a tokenizer. A model reads only tokens of the tokenizer that it was trained with.
 *
 * @param name its name on the command line
 * @param vocabularySize V, the number of ids
 * @param endOfText the id that ends a document
 */
public record TokenizerIdentity(String name, String sha256, int vocabularySize, int endOfText) {
  private static final String UNKNOWN = "unknown";
  private static final int DIGITS = 12;

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

  /** {@return the identity of a model whose files name no tokenizer} */
  public static TokenizerIdentity unknown(int vocabularySize) {
    return new TokenizerIdentity(UNKNOWN, "0".repeat(64), vocabularySize, 0);
  }

  @JsonIgnore
  public boolean isKnown() {
    return !name.equals(UNKNOWN);
  }

  /** {@return the name, and the first digits of the SHA-256 where several files share the name} */
  public String description() {
    return name.endsWith(".json") ? name + " " + sha256.substring(0, DIGITS) : name;
  }
}
