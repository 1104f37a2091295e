package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.Sha256;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Decides what becomes of one raw document. Safe for use by several threads at once. */
final class DocumentTokeniser {

  private final Tokenizer tokenizer;
  private final SplitFractions fractions;
  private final Deduplication deduplication;
  private final DocumentJudge judge = new DocumentJudge();

  DocumentTokeniser(Tokenizer tokenizer, SplitFractions fractions, Deduplication deduplication) {
    this.tokenizer = tokenizer;
    this.fractions = fractions;
    this.deduplication = deduplication;
  }

  Outcome outcomeOf(RawDocument raw) {
    Judgement judgement = judge.judge(raw);
    return judgement instanceof Judgement.Accepted document
        ? tokenised(document)
        : ((Judgement.Refused) judgement).outcome();
  }

  private Outcome tokenised(Judgement.Accepted document) {
    String text = document.text();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    IntBuffer tokens;
    try {
      tokens = IntBuffer.wrap(tokenizer.encode(text));
    } catch (DataFormatException e) {
      return new Outcome.Rejected(
          document.origin(), String.valueOf(e.getMessage()), document.content());
    }
    TextKey key = deduplication == Deduplication.EXACT ? TextKey.of(text) : null;
    return new Outcome.Tokenised(
        document.origin(), fractions.splitOf(hash(utf8)), tokens, utf8.length, key);
  }

  /** The first 64 bits of the SHA-256 of the text in UTF-8. */
  static long hash(byte[] utf8) {
    return ByteBuffer.wrap(Sha256.newDigest().digest(utf8)).getLong();
  }
}
