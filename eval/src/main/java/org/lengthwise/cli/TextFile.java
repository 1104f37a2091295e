package org.lengthwise.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Reads text files in UTF-8 that a user names. A byte order mark at the start is left out. */
final class TextFile {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TextFile() {}

  static String read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new ConfigException(file.toString(), "a file of text", "a folder", "name a file");
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
              .toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new DataFormatException(
          file.toString(), "text in UTF-8", "other bytes", "convert the file", e);
    }
  }
}
