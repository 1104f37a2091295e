package org.lengthwise.dataprep.source;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Bytes that may be UTF-8. The array is not copied, so nothing may write to it any more. */
public final class Bytes {

  /** The number of bytes in which a zero byte marks a binary format. */
  static final int BEGINNING = 1 << 13;

  private static final char REPLACEMENT = '\uFFFD';

  private final byte[] array;

  public Bytes(byte[] array) {
    this.array = array;
  }

  public int length() {
    return array.length;
  }

  public byte[] array() {
    return array;
  }

  /**
   * {@return the text; null if the bytes are not UTF-8}
   *
   * <p>Implementation note: Java's lenient decoding is several times faster than a strict decoder,
   * but replaces invalid bytes by U+FFFD, which a valid text may contain too. So only a text with a
   * U+FFFD is checked by the strict decoder.
   */
  public @Nullable String text() {
    String text = new String(array, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) >= 0 && firstInvalid() >= 0 ? null : text;
  }

  /** The text for display, with U+FFFD in the place of bytes that are not UTF-8. */
  String shown() {
    return new String(array, StandardCharsets.UTF_8);
  }

  /** {@return the offset of the first byte that is not UTF-8, or -1 if all bytes are valid} */
  public int firstInvalid() {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(array);
    CharBuffer out = CharBuffer.allocate(8192);
    while (true) {
      var result = decoder.decode(in, out, true);
      if (result.isError()) {
        return in.position();
      }
      if (result.isUnderflow()) {
        return -1;
      }
      out.clear();
    }
  }

  /**
   * {@return whether there is a zero byte among the first 8 KiB} Texts almost never have one,
   * binary formats do. Bytes that are not UTF-8 may be text in another encoding.
   */
  public boolean looksBinary() {
    for (int i = 0; i < Math.min(array.length, BEGINNING); i++) {
      if (array[i] == 0) {
        return true;
      }
    }
    return false;
  }
}
