package org.lengthwise.dataprep.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which characters are letters, numbers and white space: Unicode's general categories L and N and
 * its property White_Space, in version 16.0.
 *
 * <p>The table is a file and not the JDK's own: JDK 17 knows Unicode 13, JDK 25 knows 16, and a
 * text must have the same ids on both. Version 16.0 is the one of the Hugging Face engine.
 */
final class CharacterClasses {

  static final byte LETTER = 'L';
  static final byte NUMBER = 'N';
  static final byte SPACE = 'S';

  /** Everything else: marks, punctuation, symbols, control characters, unassigned code points. */
  static final byte OTHER = 0;

  private static final String FILE = "character-classes.txt";

  private final byte[] classes = new byte[Character.MAX_CODE_POINT + 1];

  CharacterClasses() {
    new String(file(), StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(this::fill);
  }

  /** The file, whose lines are {@code first-last class}; everything that it leaves out is other. */
  static byte[] file() {
    return ResourceBytes.of(CharacterClasses.class, FILE);
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
