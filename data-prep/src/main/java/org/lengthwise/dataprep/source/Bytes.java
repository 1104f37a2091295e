package org.lengthwise.dataprep.source;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Bytes that may be UTF-8. The array is handed over, not copied: nobody writes to it again. */
public final class Bytes {

  /** How many bytes tell a binary format from text. */
  static final int BEGINNING = 1 << 13;

  private static final char REPLACEMENT = '\uFFFD';

  private final byte[] array;

  /**
   * Takes the array over.
   *
   * @param array the bytes, which the caller no longer changes
   */
  public Bytes(byte[] array) {
    this.array = array;
  }

  /**
   * The number of bytes.
   *
   * @return at least 0
   */
  public int length() {
    return array.length;
  }

  /**
   * The bytes themselves, to be read only.
   *
   * @return the array that was handed over
   */
  public byte[] array() {
    return array;
  }

  /**
   * Decodes strictly.
   *
   * <p>Implementation note: Java's own decoding is several times faster than a strict decoder and
   * marks what it cannot decode with U+FFFD. Only a text that shows one, which it may also hold by
   * right, is decoded a second time.
   *
   * @return the text; null if the bytes are not UTF-8
   */
  public @Nullable String text() {
    String text = new String(array, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) >= 0 && firstInvalid() >= 0 ? null : text;
  }

  /**
   * Finds the first place that is not UTF-8.
   *
   * @return the offset in bytes, or -1 if all is well
   */
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
   * Tells a binary format by a zero byte, which next to no text has. Bytes that are not UTF-8 do
   * not make one: they are as likely text in another encoding.
   *
   * @return whether there is a zero byte among the first 8 KiB
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
