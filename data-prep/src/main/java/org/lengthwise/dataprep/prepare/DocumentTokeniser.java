package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.dataprep.prepare.DocumentParser.ParsedDocument;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.DataFormatException;

/** Parses and tokenises documents. Safe for use by several threads. */
final class DocumentTokeniser {

  private final Tokenizer tokenizer;
  private final SplitFractions fractions;
  private final Deduplication deduplication;
  private final DocumentParser parser = new DocumentParser();

  DocumentTokeniser(Tokenizer tokenizer, SplitFractions fractions, Deduplication deduplication) {
    this.tokenizer = tokenizer;
    this.fractions = fractions;
    this.deduplication = deduplication;
  }

  DocumentFate fateOf(RawDocument raw) {
    ParsedDocument parsed = parser.parse(raw);
    return parsed instanceof DocumentFate fate ? fate : tokenised((ParsedDocument.Text) parsed);
  }

  private DocumentFate tokenised(ParsedDocument.Text document) {
    String text = document.text();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    IntBuffer tokens;
    try {
      tokens = IntBuffer.wrap(tokenizer.encode(text));
    } catch (DataFormatException e) {
      return new DocumentFate.Rejected(
          document.origin(), String.valueOf(e.getMessage()), document.content());
    }
    TextKey key = deduplication == Deduplication.EXACT ? TextKey.of(text) : null;
    return new DocumentFate.Tokenised(
        document.origin(), fractions.splitOf(hash(utf8)), tokens, utf8.length, key);
  }

  /** The first 64 bits of the SHA-256 of the text in UTF-8. */
  static long hash(byte[] utf8) {
    return ByteBuffer.wrap(Sha256.newDigest().digest(utf8)).getLong();
  }
}
