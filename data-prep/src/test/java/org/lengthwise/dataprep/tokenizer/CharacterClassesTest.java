package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CharacterClassesTest {

  private final CharacterClasses classes = new CharacterClasses();

  @Test
  void hasTheLettersNumbersAndWhiteSpaceOfUnicode16() {
    assertThat(count(CharacterClasses.LETTER)).isEqualTo(141_028);
    assertThat(count(CharacterClasses.NUMBER)).isEqualTo(1_911);
    assertThat(codePoints().filter(codePoint -> classes.of(codePoint) == CharacterClasses.SPACE))
        .containsExactly(
            0x9, 0xA, 0xB, 0xC, 0xD, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
            0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
            0x3000);
  }

  @Test
  void agreesWithTheJdkOnItsVersionOfUnicode() {
    int jdk = Runtime.version().feature();
    assumeThat(jdk).as("JDK 26 and later know more than Unicode 16").isLessThan(26);
    boolean knowsUnicode16 = jdk >= 24;
    assertThat(
            codePoints()
                .filter(codePoint -> knowsUnicode16 || Character.isDefined(codePoint))
                .filter(codePoint -> classes.of(codePoint) != expected(codePoint))
                .mapToObj(Integer::toHexString))
        .isEmpty();
  }

  @Test
  void newLettersAreLettersOnAnyJdk() {
    assertThat(classes.of(0x1C89)).as("Unicode 16").isEqualTo(CharacterClasses.LETTER);
    assertThat(classes.of(0x2EBF0)).as("Unicode 15.1").isEqualTo(CharacterClasses.LETTER);
    assertThat(classes.of(0x1E4F0)).as("Unicode 15").isEqualTo(CharacterClasses.NUMBER);
    assertThat(classes.of(0x2B739)).as("Unicode 15").isEqualTo(CharacterClasses.LETTER);
    assertThat(classes.of(0x0870)).as("Unicode 14").isEqualTo(CharacterClasses.LETTER);
    assertThat(classes.of(0x3FFFF)).as("unassigned").isEqualTo(CharacterClasses.OTHER);
  }

  private static byte expected(int codePoint) {
    return CharacterClassesFile.classOf(codePoint);
  }

  private long count(byte characterClass) {
    return codePoints().filter(codePoint -> classes.of(codePoint) == characterClass).count();
  }

  private static IntStream codePoints() {
    return IntStream.rangeClosed(0, Character.MAX_CODE_POINT);
  }
}
