package org.lengthwise.dataprep.source;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.Split;

/**
 * Files that hold token ids instead of text.
 *
 * @param format their format
 * @param endOfText an id that ends a document in these files; shards have the tokenizer's id
 *     instead
 * @param ownEndOfText the tokenizer's id, which ends a document in these files too
 * @param vocabularySize the number of ids of the tokenizer
 * @param split the split of all documents; null if a hash of each document's text decides
 */
public record TokenFiles(
    Format format, int endOfText, int ownEndOfText, int vocabularySize, @Nullable Split split) {

  public TokenFiles {
    Checks.atLeast("end_of_text", endOfText, 0);
    Checks.atLeast("own_end_of_text", ownEndOfText, 0);
    Checks.atLeast("vocabulary_size", vocabularySize, 1);
  }

  boolean ends(int id) {
    return id == endOfText || id == ownEndOfText;
  }

  /** A format of token files. All numbers are little-endian. */
  public enum Format {
    /** uint16 ids and nothing else. */
    @JsonProperty("nanogpt")
    NANOGPT("nanogpt"),
    /** A header of 256 int32 (magic, version, number of ids), then uint16 or uint32 ids. */
    @JsonProperty("llm.c")
    LLM_C("llm.c"),
    /** Ids in a {@code .bin}; types, lengths and documents in the {@code .idx} beside it. */
    @JsonProperty("megatron")
    MEGATRON("megatron");

    private final String label;

    Format(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }
}
