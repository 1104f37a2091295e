package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.lengthwise.artifact.Sha256;

/**
 * The key of a text for deduplication: the first 128 bits of the SHA-256 of the normalised text in
 * UTF-8. Two documents have the same key if and only if their normalised texts are equal.
 *
 * <p>Normalisation replaces each run of white space by one space (U+0020), and then drops a space
 * at the beginning and at the end. White space is this list of code points, for every version of
 * Unicode in the Java platform: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A,
 * U+2028, U+2029, U+202F, U+205F and U+3000. Nothing else is changed: texts that differ in case,
 * punctuation, invisible characters or the encoding of accents are different. Unicode's
 * normalisation forms are not used, because their tables differ between releases of Java.
 *
 * <p>Among 20 million different texts, the probability that any two have the same key is 6e-25.
 */
public record TextKey(long high, long low) {

  public static final int BYTES = 2 * Long.BYTES;

  static TextKey of(String text) {
    byte[] utf8 = normalised(text).getBytes(StandardCharsets.UTF_8);
    ByteBuffer digest = ByteBuffer.wrap(Sha256.newDigest().digest(utf8));
    return new TextKey(digest.getLong(), digest.getLong());
  }

  static String normalised(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean spaceDue = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isWhiteSpace(c)) {
        spaceDue = out.length() > 0;
      } else {
        if (spaceDue) {
          out.append(' ');
          spaceDue = false;
        }
        out.append(c);
      }
    }
    return out.toString();
  }

  /** The white space listed above, of which every code point is a single char. */
  private static boolean isWhiteSpace(char c) {
    if (c <= ' ') {
      return c == ' ' || (c >= '\t' && c <= '\r');
    }
    return switch (c) {
      case '\u0085', '\u00A0', '\u1680', '\u2028', '\u2029', '\u202F', '\u205F', '\u3000' -> true;
      default -> c >= '\u2000' && c <= '\u200A';
    };
  }
}
