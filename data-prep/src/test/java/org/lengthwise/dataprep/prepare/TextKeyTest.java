package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextKeyTest {

  /** White_Space of Unicode's PropList.txt, unchanged since version 6.3. */
  private static final String WHITE_SPACE =
      "\t\n\u000B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
          + "\u2009\u200A\u2028\u2029\u202F\u205F\u3000";

  @Test
  void whiteSpaceBecomesOneSpaceBetweenWordsAndNoneAtTheEnds() {
    assertThat(TextKey.normalised(WHITE_SPACE + "a" + WHITE_SPACE + "b" + WHITE_SPACE))
        .isEqualTo("a b");
    assertThat(TextKey.normalised(WHITE_SPACE)).isEmpty();
  }

  @Test
  void everyOtherCharacterIsKept() {
    String other =
        IntStream.range(0, 0xD800)
            .filter(c -> WHITE_SPACE.indexOf(c) < 0)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    assertThat(TextKey.normalised(other)).isEqualTo(other);
    assertThat(TextKey.normalised("a\u200Bb 😀")).isEqualTo("a\u200Bb 😀");
  }

  @Test
  void textsThatDifferInMoreThanWhiteSpaceHaveDifferentKeys() {
    assertThat(TextKey.of("cafe\u0301\n")).isEqualTo(TextKey.of(" cafe\u0301"));
    assertThat(TextKey.of("cafe\u0301")).isNotEqualTo(TextKey.of("caf\u00E9"));
    assertThat(TextKey.of("a b")).isNotEqualTo(TextKey.of("ab")).isNotEqualTo(TextKey.of("A b"));
  }

  /** The expected bits are those of {@code printf 'a b' | sha256sum}. */
  @Test
  void theKeyIsTheFirst128BitsOfTheDigest() {
    assertThat(TextKey.of(" a\tb"))
        .isEqualTo(new TextKey(0xc8687a08aa5d6ed2L, 0x044328fa6a697ab8L));
  }
}
