package org.lengthwise.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Text in UTF-8. A byte order mark at its start is not part of the text. */
public final class TextFile {

  private static final int LARGEST_BYTE = 0xFF;
  private static final int SHOWN_BYTES = 4;

  private TextFile() {}

  /**
   * {@return the text of a file that a user names}
   *
   * @throws ConfigException if it is a folder
   * @throws DataFormatException if it is not in UTF-8, or a Git LFS pointer
   */
  public static String read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new ConfigException(file.toString(), "a file of text", "a folder", "name a file");
    }
    byte[] content = Files.readAllBytes(file);
    GitLfsPointer.refuse(file.toString(), content);
    String other = otherEncoding(content);
    try {
      if (other != null) {
        throw new CharacterCodingException();
      }
      int start = markLength(content);
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(content, start, content.length - start))
          .toString();
    } catch (CharacterCodingException e) {
      throw new DataFormatException(
          file.toString(),
          "text in UTF-8",
          other == null ? "other bytes" : other,
          "save the file as UTF-8, or convert it: " + conversion(other),
          e);
    }
  }

  public static int markLength(byte[] start) {
    return startsWith(start, 0xEF, 0xBB, 0xBF) ? 3 : 0;
  }

  public static boolean hasOtherMark(byte[] start) {
    return startsWith(start, 0xFF, 0xFE)
        || startsWith(start, 0xFE, 0xFF)
        || startsWith(start, 0, 0, 0xFE, 0xFF);
  }

  /**
   * {@return the encoding of a text, if its first bytes show one with two or four bytes for each
   * character; else null} A mark shows it, or the zero bytes of two ASCII characters.
   *
   * @param start at least the first four bytes, or the whole text
   */
  public static @Nullable String otherEncoding(byte[] start) {
    int zeros = 0; // a bit for each of the first four bytes that is zero, the first byte highest
    for (int i = 0; i < SHOWN_BYTES && start.length >= SHOWN_BYTES; i++) {
      zeros = zeros << 1 | (start[i] == 0 ? 1 : 0);
    }
    if (startsWith(start, 0xFF, 0xFE, 0, 0) || zeros == 0b0111) {
      return "UTF-32LE";
    }
    if (startsWith(start, 0, 0, 0xFE, 0xFF) || zeros == 0b1110) {
      return "UTF-32BE";
    }
    if (startsWith(start, 0xFF, 0xFE) || zeros == 0b0101) {
      return "UTF-16LE";
    }
    return startsWith(start, 0xFE, 0xFF) || zeros == 0b1010 ? "UTF-16BE" : null;
  }

  public static String conversion(@Nullable String encoding) {
    String from = encoding == null ? "ENCODING" : encoding.substring(0, "UTF-16".length());
    return "iconv -f " + from + " -t UTF-8 FILE > NEW";
  }

  private static boolean startsWith(byte[] start, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (start.length <= i || (start[i] & LARGEST_BYTE) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
