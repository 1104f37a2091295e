package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import org.lengthwise.dataprep.artifact.Sha256;
import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.Origin;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Decides what becomes of one raw document. Safe for use by several threads at once. */
final class DocumentTokeniser {

  private static final Bytes NOTHING = new Bytes(new byte[0]);

  private final Tokenizer tokenizer;
  private final SplitFractions fractions;
  private final Deduplication deduplication;
  private final TextRecord textRecord = new TextRecord();

  DocumentTokeniser(Tokenizer tokenizer, SplitFractions fractions, Deduplication deduplication) {
    this.tokenizer = tokenizer;
    this.fractions = fractions;
    this.deduplication = deduplication;
  }

  Outcome outcomeOf(RawDocument raw) {
    if (raw instanceof RawDocument.JsonRecord json) {
      return record(json);
    }
    if (raw instanceof RawDocument.PlainText plain) {
      return plainText(plain);
    }
    if (raw instanceof RawDocument.TooLong tooLong) {
      String reason = "longer than document_byte_limit, " + tooLong.limit() + " bytes";
      return new Outcome.Rejected(raw.origin(), reason, NOTHING);
    }
    return new Outcome.PassedOver(raw.origin());
  }

  private Outcome record(RawDocument.JsonRecord json) {
    String line = json.line().text();
    if (line == null) {
      return notUtf8(json.origin(), json.line());
    }
    try {
      return document(json.origin(), textRecord.textOf(line), json.line());
    } catch (TextRecord.MalformedException e) {
      return new Outcome.Rejected(json.origin(), e.reason(), json.line());
    }
  }

  private Outcome plainText(RawDocument.PlainText plain) {
    String text = plain.content().text();
    return text == null
        ? notUtf8(plain.origin(), plain.content())
        : document(plain.origin(), text, plain.content());
  }

  private static Outcome notUtf8(Origin origin, Bytes content) {
    String reason = "not UTF-8 from byte " + content.firstInvalid() + " on";
    return new Outcome.Rejected(origin, reason, content);
  }

  private Outcome document(Origin origin, String text, Bytes content) {
    if (text.isEmpty()) {
      return new Outcome.Rejected(origin, "an empty document", content);
    }
    int surrogate = firstUnpairedSurrogate(text);
    if (surrogate >= 0) {
      String reason = "half of a surrogate pair at character " + surrogate + ", which is no text";
      return new Outcome.Rejected(origin, reason, content);
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    IntBuffer tokens = IntBuffer.wrap(tokenizer.encode(text));
    TextKey key = deduplication == Deduplication.EXACT ? TextKey.of(text) : null;
    return new Outcome.Tokenised(origin, fractions.splitOf(hash(utf8)), tokens, utf8.length, key);
  }

  /** The first 64 bits of the SHA-256 of the text in UTF-8. */
  static long hash(byte[] utf8) {
    return ByteBuffer.wrap(Sha256.newDigest().digest(utf8)).getLong();
  }

  private static int firstUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
