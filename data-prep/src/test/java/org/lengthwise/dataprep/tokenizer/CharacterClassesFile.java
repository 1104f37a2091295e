package org.lengthwise.dataprep.tokenizer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** Writes the table of {@link CharacterClasses} from the running JDK's tables. */
final class CharacterClassesFile {

  private static final Pattern WHITE_SPACE =
      Pattern.compile("\\s", Pattern.UNICODE_CHARACTER_CLASS);

  private CharacterClassesFile() {}

  /**
   * Writes the file. JDK 24 and 25 (Unicode 16.0) give the file of this repository.
   *
   * @param arguments the path to write to
   * @throws IOException if it cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    StringBuilder lines = new StringBuilder("# Unicode 16.0: L letter, N number, S white space\n");
    int codePoint = 0;
    while (codePoint <= Character.MAX_CODE_POINT) {
      byte characterClass = classOf(codePoint);
      int last = codePoint;
      while (last < Character.MAX_CODE_POINT && classOf(last + 1) == characterClass) {
        last++;
      }
      if (characterClass != CharacterClasses.OTHER) {
        lines.append(String.format(Locale.ROOT, "%04X-%04X ", codePoint, last));
        lines.append((char) characterClass).append('\n');
      }
      codePoint = last + 1;
    }
    Files.writeString(Path.of(arguments[0]), lines, StandardCharsets.US_ASCII);
  }

  /** The class by the running JDK's tables. */
  static byte classOf(int codePoint) {
    if (Character.isLetter(codePoint)) {
      return CharacterClasses.LETTER;
    }
    return switch (Character.getType(codePoint)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER ->
          CharacterClasses.NUMBER;
      case Character.UNASSIGNED, Character.PRIVATE_USE, Character.SURROGATE ->
          CharacterClasses.OTHER;
      default ->
          WHITE_SPACE.matcher(Character.toString(codePoint)).matches()
              ? CharacterClasses.SPACE
              : CharacterClasses.OTHER;
    };
  }
}
