package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

class TextStreamTest {

  private static List<String> pieces(Tokenizer tokenizer, int[] prompt, int... tokens) {
    List<String> pieces = new ArrayList<>();
    TextStream stream = new TextStream(tokenizer, prompt, pieces::add);
    Arrays.stream(tokens).forEach(stream::add);
    stream.end();
    return pieces;
  }

  private static int[] bytes(String text) {
    return new BytesTokenizer().encode(text);
  }

  @Test
  void aCharacterIsPrintedWithItsLastByte() {
    assertThat(pieces(new BytesTokenizer(), bytes("so "), bytes("aé€😀!")))
        .containsExactly("a", "é", "€", "😀", "!");
  }

  @Test
  void invalidBytesDoNotDelayLaterText() {
    assertThat(pieces(new BytesTokenizer(), bytes("x"), 'a', 0xE2, 0x82, 'b', 'c'))
        .containsExactly("a", "\uFFFDb", "c");
  }

  @Test
  void anIncompleteCharacterIsPrintedAtTheEnd() {
    assertThat(pieces(new BytesTokenizer(), bytes("x"), 'a', 0xE2, 0x82))
        .containsExactly("a", "\uFFFD");
    assertThat(pieces(new BytesTokenizer(), bytes("x"))).isEmpty();
  }

  @Test
  void thePiecesJoinToTheWholeText() {
    long seed = Long.getLong("lengthwise.test.seed", 17);
    Random random = new Random(seed);
    BytesTokenizer tokenizer = new BytesTokenizer();
    for (int round = 0; round < 200; round++) {
      int[] tokens = random.ints(30, 0, 256).toArray();
      if (round % 2 == 0) {
        String text =
            random
                .ints(12, 1, 0xD800)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        tokens = tokenizer.encode(text);
      }
      assertThat(String.join("", pieces(tokenizer, bytes("é"), tokens)))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(tokenizer.decode(tokens));
    }
  }

  /**
   * Like tokenizers whose words include the space before them: a text does not begin with a space.
   */
  @Test
  void aTokenIsDecodedAfterThePreviousTokens() {
    assertThat(pieces(new WordsTokenizer(), new int[] {0}, 1, 2)).containsExactly(" two", " three");
  }

  /** Three words, joined by spaces. */
  private static final class WordsTokenizer implements Tokenizer {
    private static final List<String> WORDS = List.of("one", "two", "three");

    @Override
    public String name() {
      return "words";
    }

    @Override
    public String sha256() {
      return "0".repeat(64);
    }

    @Override
    public int vocabularySize() {
      return WORDS.size() + 1;
    }

    @Override
    public int endOfText() {
      return WORDS.size();
    }

    @Override
    public int[] encode(String text) {
      return Arrays.stream(text.split(" ")).mapToInt(WORDS::indexOf).toArray();
    }

    @Override
    public String decode(int[] ids) {
      return String.join(" ", Arrays.stream(ids).mapToObj(WORDS::get).toList());
    }

    @Override
    public int numBytes(int id) {
      return id == endOfText() ? 0 : WORDS.get(id).length();
    }

    @Override
    public void close() {}
  }
}
