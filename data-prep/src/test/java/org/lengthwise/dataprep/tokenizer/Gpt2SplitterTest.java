package org.lengthwise.dataprep.tokenizer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class Gpt2SplitterTest {

  private static final Pattern PUBLISHED =
      Pattern.compile(
          "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
          Pattern.UNICODE_CHARACTER_CLASS);

  private final Gpt2Splitter splitter = new Gpt2Splitter(new CharacterClasses());

  @Test
  void contractionsAreLowerCaseAndBeginAPiece() {
    assertThat(pieces("I'll say it's so, WE'RE"))
        .containsExactly("I", "'ll", " say", " it", "'s", " so", ",", " WE", "'", "RE");
    assertThat(pieces("a''s 's!'s 'l'v'"))
        .containsExactly("a", "''", "s", " '", "s", "!'", "s", " '", "l", "'", "v", "'");
  }

  @Test
  void oneSpaceBelongsToTheNextPieceAndTheRestIsOnePiece() {
    assertThat(pieces("a   b")).containsExactly("a", "  ", " b");
    assertThat(pieces("a \n b\t\tc")).containsExactly("a", " \n", " b", "\t", "\t", "c");
    assertThat(pieces("a\u3000\u3000b \u00A0"))
        .containsExactly("a", "\u3000", "\u3000", "b", " \u00A0");
    assertThat(pieces("  ")).containsExactly("  ");
    assertThat(pieces("")).isEmpty();
  }

  @Test
  void lettersNumbersAndOtherCharactersFormSeparateRuns() {
    assertThat(pieces("año12½Ⅳ٣!?€\u0301e\u0301"))
        .containsExactly("año", "12½Ⅳ٣", "!?€\u0301", "e", "\u0301");
  }

  @Test
  void findsThePiecesOfThePublishedPattern() {
    for (String text : DiverseText.samples(DiverseText.SEED)) {
      String known = onlyWhatTheJdkKnows(text);
      assertThat(pieces(known))
          .as("seed %d", DiverseText.SEED)
          .isEqualTo(PUBLISHED.matcher(known).results().map(MatchResult::group).toList());
    }
  }

  private List<String> pieces(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    List<String> pieces = new ArrayList<>();
    int start = 0;
    while (start < utf8.length) {
      int end = splitter.endOfPiece(utf8, start);
      pieces.add(new String(utf8, start, end - start, UTF_8));
      start = end;
    }
    return pieces;
  }

  private static String onlyWhatTheJdkKnows(String text) {
    StringBuilder known = new StringBuilder();
    text.codePoints().filter(Character::isDefined).forEach(known::appendCodePoint);
    return known.toString();
  }
}
