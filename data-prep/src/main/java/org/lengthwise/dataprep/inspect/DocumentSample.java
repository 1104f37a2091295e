package org.lengthwise.dataprep.inspect;

import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.StoredDocument;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * The beginnings of the first documents, decoded. Their shards' checksums are not compared for
 * this: a look at a few tokens must not read a large split in full.
 *
 * @param count how many documents of the first split that has any
 * @param tokens how many tokens of each
 */
public record DocumentSample(int count, int tokens) {
  /** What stands in decoded text for a character that the cut went through. */
  private static final String CUT_CHARACTER = "\uFFFD+$";

  /** Checks the ranges. */
  public DocumentSample {
    if (count < 0 || tokens < 1) {
      throw new IllegalArgumentException(
          "a sample has documents of at least one token, found %d of %d".formatted(count, tokens));
    }
  }

  /**
   * Reads the sample.
   *
   * @param folder the open folder
   * @param tokenizer the one that made its tokens
   * @return the beginnings; fewer where there are fewer documents
   * @throws ConfigException if another tokenizer made the tokens
   * @throws DataFormatException if a token is outside the vocabulary
   */
  public List<SampleDocument> read(ShardFolder folder, Tokenizer tokenizer) {
    requireSame(folder.manifest().tokenizer(), tokenizer);
    for (Split split : Split.values()) {
      if (folder.manifest().split(split).documents() > 0) {
        List<SampleDocument> sample = new ArrayList<>();
        for (StoredDocument document : folder.firstDocuments(split, count)) {
          sample.add(beginning(folder, split, document, tokenizer));
        }
        return sample;
      }
    }
    return List.of();
  }

  private SampleDocument beginning(
      ShardFolder folder, Split split, StoredDocument document, Tokenizer tokenizer) {
    int[] ids = new int[Math.min(tokens, document.numTokens())];
    folder.readUnverified(split, document.position(), ids);
    requireVocabulary(ids, tokenizer, document);
    String text = tokenizer.decode(ids);
    String whole = ids.length < document.numTokens() ? text.replaceAll(CUT_CHARACTER, "") : text;
    return new SampleDocument(split, document.info(), document.numTokens(), whole);
  }

  private static void requireVocabulary(int[] ids, Tokenizer tokenizer, StoredDocument document) {
    for (int id : ids) {
      if (id < 0 || id >= tokenizer.vocabularySize()) {
        throw new DataFormatException(
            document.info().source() + ", record " + document.info().record(),
            "tokens below " + tokenizer.vocabularySize(),
            "the token " + id,
            "see with inspect --verify which shard is altered");
      }
    }
  }

  private static void requireSame(TokenizerIdentity made, Tokenizer tokenizer) {
    if (!tokenizer.sha256().equals(made.sha256())) {
      throw new ConfigException(
          "--tokenizer",
          "the one that made the tokens, %s with SHA-256 %s".formatted(made.name(), made.sha256()),
          tokenizer.name() + " with SHA-256 " + tokenizer.sha256(),
          "name the tokenizer.json that the folder was prepared with");
    }
  }
}
