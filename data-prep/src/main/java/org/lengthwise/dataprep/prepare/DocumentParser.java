package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.DocumentOrigin;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.input.GitLfsPointer;
import org.lengthwise.input.TextFile;

/**
 * Finds the text of a raw document, or the reason to reject it. Safe for use by several threads.
 */
final class DocumentParser {

  static final String EMPTY = "an empty document";

  private static final Bytes NOTHING = new Bytes(new byte[0]);

  private final TextRecord textRecord;

  DocumentParser(String textKey) {
    textRecord = new TextRecord(textKey);
  }

  ParsedDocument parse(RawDocument raw) {
    if (raw instanceof RawDocument.JsonRecord json) {
      return record(json);
    }
    if (raw instanceof RawDocument.PlainText plain) {
      return plainText(plain);
    }
    if (raw instanceof RawDocument.TooLong tooLong) {
      String reason = "longer than document_byte_limit, " + tooLong.limit() + " bytes";
      return rejected(raw.origin(), reason, NOTHING);
    }
    if (raw instanceof RawDocument.NotText) {
      return new DocumentFate.Skipped(raw.origin());
    }
    throw new AssertionError("no parser for " + raw);
  }

  private ParsedDocument record(RawDocument.JsonRecord json) {
    String line = json.line().text();
    if (line == null) {
      return notUtf8(json.origin(), json.line());
    }
    try {
      return document(json.origin(), textRecord.textOf(line), json.line());
    } catch (TextRecord.MalformedException e) {
      return rejected(json.origin(), e.reason(), json.line());
    }
  }

  private static ParsedDocument plainText(RawDocument.PlainText plain) {
    if (GitLfsPointer.matches(plain.content().array())) {
      return rejected(
          plain.origin(),
          "a Git LFS pointer in place of the file, which git lfs pull fetches",
          plain.content());
    }
    String text = plain.content().text();
    return text == null || TextFile.otherEncoding(plain.content().array()) != null
        ? notUtf8(plain.origin(), plain.content())
        : document(plain.origin(), text, plain.content());
  }

  private static ParsedDocument notUtf8(DocumentOrigin origin, Bytes content) {
    String other = TextFile.otherEncoding(content.array());
    String reason =
        other == null
            ? "not UTF-8 from byte " + content.firstInvalid() + " on"
            : "%s instead of UTF-8; to convert it: %s".formatted(other, TextFile.conversion(other));
    return rejected(origin, reason, content);
  }

  private static ParsedDocument document(DocumentOrigin origin, String text, Bytes content) {
    if (text.isEmpty()) {
      return rejected(origin, EMPTY, content);
    }
    int surrogate = firstUnpairedSurrogate(text);
    if (surrogate >= 0) {
      String reason = "half of a surrogate pair at character " + surrogate + ", which is no text";
      return rejected(origin, reason, content);
    }
    return new ParsedDocument.Text(origin, text, content);
  }

  static DocumentFate.Rejected rejected(DocumentOrigin origin, String reason, Bytes content) {
    return new DocumentFate.Rejected(origin, reason, content);
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

  /** A raw document after parsing: a text, or a fate that needs no text. */
  sealed interface ParsedDocument
      permits ParsedDocument.Text, DocumentFate.Rejected, DocumentFate.Skipped {

    /** A valid document. */
    record Text(DocumentOrigin origin, String text, Bytes content) implements ParsedDocument {}
  }
}
