package org.lengthwise.dataprep.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Letters, numbers and white space: Unicode's general categories L and N and its property
 * White_Space, in version 16.0.
 *
 * <p>The table is a file, because the table of JDK 17 is Unicode 13 and that of JDK 25 is Unicode
 * 16, and a text must have the same ids on both. The Hugging Face engine uses version 16.0.
 */
final class CharacterClasses {

  static final byte LETTER = 'L';
  static final byte NUMBER = 'N';
  static final byte SPACE = 'S';

  static final byte OTHER = 0;

  private static final String FILE = "character-classes.txt";

  private final byte[] classes = new byte[Character.MAX_CODE_POINT + 1];

  CharacterClasses() {
    new String(file(), StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(this::fill);
  }

  /** The file. Its lines are {@code first-last class}; all other code points are {@link #OTHER}. */
  static byte[] file() {
    return Gpt2Tokenizer.resource(CharacterClasses.class, FILE);
  }

  byte of(int codePoint) {
    return classes[codePoint];
  }

  private void fill(String line) {
    int dash = line.indexOf('-');
    int space = line.indexOf(' ');
    int first = Integer.parseInt(line, 0, dash, 16);
    int last = Integer.parseInt(line, dash + 1, space, 16);
    Arrays.fill(classes, first, last + 1, (byte) line.charAt(space + 1));
  }
}
