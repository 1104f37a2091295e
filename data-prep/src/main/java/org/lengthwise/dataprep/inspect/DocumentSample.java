package org.lengthwise.dataprep.inspect;

import java.util.ArrayList;
import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardFolder.StoredDocument;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/**
 * The beginnings of the first documents, decoded. Checksums of shards are not compared, because a
 * comparison would read a large split in full for a few tokens.
 */
public record DocumentSample(int count, int tokens) {
  /** The replacement of a last character that is incomplete. */
  private static final String CUT_CHARACTER = "\uFFFD+$";

  public DocumentSample {
    Checks.atLeast("count", count, 0);
    Checks.atLeast("tokens", tokens, 1);
  }

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
            "run inspect --verify to find the altered shard");
      }
    }
  }

  private static void requireSame(TokenizerIdentity made, Tokenizer tokenizer) {
    if (!tokenizer.sha256().equals(made.sha256())) {
      throw new ConfigException(
          "--tokenizer",
          "the tokenizer of the folder, %s with SHA-256 %s".formatted(made.name(), made.sha256()),
          tokenizer.name() + " with SHA-256 " + tokenizer.sha256(),
          "name the tokenizer.json that the folder was prepared with");
    }
  }

  /**
   * The beginning of a document.
   *
   * @param tokens its length in tokens, with end-of-text
   * @param beginning its first tokens, decoded
   */
  public record SampleDocument(Split split, DocumentInfo info, int tokens, String beginning) {}
}
