package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.Origin;
import org.lengthwise.dataprep.source.RawDocument;

/** Decides whether a raw document is one. Safe for use by several threads at once. */
final class DocumentJudge {

  private static final Bytes NOTHING = new Bytes(new byte[0]);

  private final TextRecord textRecord = new TextRecord();

  Judgement judge(RawDocument raw) {
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
    return new Judgement.Refused(new Outcome.PassedOver(raw.origin()));
  }

  private Judgement record(RawDocument.JsonRecord json) {
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

  private static Judgement plainText(RawDocument.PlainText plain) {
    String text = plain.content().text();
    return text == null
        ? notUtf8(plain.origin(), plain.content())
        : document(plain.origin(), text, plain.content());
  }

  private static Judgement notUtf8(Origin origin, Bytes content) {
    String reason = "not UTF-8 from byte " + content.firstInvalid() + " on";
    return rejected(origin, reason, content);
  }

  private static Judgement document(Origin origin, String text, Bytes content) {
    if (text.isEmpty()) {
      return rejected(origin, "an empty document", content);
    }
    int surrogate = firstUnpairedSurrogate(text);
    if (surrogate >= 0) {
      String reason = "half of a surrogate pair at character " + surrogate + ", which is no text";
      return rejected(origin, reason, content);
    }
    return new Judgement.Accepted(origin, text, content);
  }

  private static Judgement rejected(Origin origin, String reason, Bytes content) {
    return new Judgement.Refused(new Outcome.Rejected(origin, reason, content));
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
