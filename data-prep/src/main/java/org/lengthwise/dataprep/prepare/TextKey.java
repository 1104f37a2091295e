package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * What two documents have in common if and only if their normalised texts are the same: the first
 * 128 bits of the SHA-256 of that text in UTF-8.
 *
 * <p>To normalise a text, every longest run of white space becomes one space (U+0020); then a space
 * at the beginning or end is dropped. White space is, whatever the Java platform knows of Unicode,
 * these code points: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028,
 * U+2029, U+202F, U+205F and U+3000. Nothing else is changed: case, punctuation, invisible
 * characters and the spelling of accents, in one code point or two, count. Unicode's normalisation
 * forms are no part of it because their tables differ between releases of Java.
 *
 * <p>Among 20 million different texts, the probability that any two share a key is 6e-25.
 *
 * @param high the first 64 bits
 * @param low the next 64 bits
 */
public record TextKey(long high, long low) {

  /** The bytes of a key when it is written. */
  public static final int BYTES = 2 * Long.BYTES;

  static TextKey of(String text) {
    byte[] utf8 = normalised(text).getBytes(StandardCharsets.UTF_8);
    ByteBuffer digest = ByteBuffer.wrap(Sha256.newDigest().digest(utf8));
    return new TextKey(digest.getLong(), digest.getLong());
  }

  /** The text that the key is taken of. */
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
