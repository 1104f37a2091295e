package org.lengthwise.dataprep.tokenizer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the GPT-2 tokenizer with the Hugging Face engine. */
class Gpt2TokenizerIT {

  private static final int RUN_LENGTH = 100_000;
  private static final int CODE_POINTS_PER_TEXT = 1 << 10;

  /** Outside these planes code points are unassigned or for private use; one in 64 is tested. */
  private static final List<Integer> ASSIGNED_PLANES = List.of(0, 1, 2, 3, 14);

  private final Gpt2Tokenizer gpt2 = new Gpt2Tokenizer();
  private final Gpt2Splitter splitter = new Gpt2Splitter(new CharacterClasses());

  @Test
  void idsOfDiverseTextsEqualThoseOfTheEngine(@TempDir Path folder) throws IOException {
    try (Tokenizer engine = engine(folder)) {
      for (String text : DiverseText.samples(DiverseText.SEED)) {
        assertSameIds(engine, text, "seed " + DiverseText.SEED);
      }
      for (String text : DiverseText.samples(Gpt2TokenizerTest.GOLDEN_SEED)) {
        assertSameIds(engine, text, "the texts of the golden checksum");
      }
    }
  }

  @Test
  void idsOfRunsOfOneKindOfCharacterEqualThoseOfTheEngine(@TempDir Path folder) throws IOException {
    Random random = new Random(DiverseText.SEED);
    try (Tokenizer engine = engine(folder)) {
      assertSameIds(engine, run(RUN_LENGTH, i -> ' '), "spaces");
      assertSameIds(engine, run(RUN_LENGTH, i -> ' ') + "x", "spaces before a letter");
      assertSameIds(engine, run(RUN_LENGTH, i -> " \n\t\u3000".charAt(i % 4)), "white space");
      assertSameIds(engine, run(RUN_LENGTH, i -> '0' + random.nextInt(10)), "digits");
      assertSameIds(engine, run(RUN_LENGTH, i -> '!' + random.nextInt(15)), "punctuation");
      assertSameIds(engine, run(RUN_LENGTH, i -> 'a' + random.nextInt(26)), "letters");
      assertSameIds(engine, run(RUN_LENGTH, i -> 0x4E00 + random.nextInt(0x5000)), "ideographs");
      assertSameIds(engine, run(RUN_LENGTH, i -> "the".charAt(i % 3)), "words without spaces");
    }
  }

  @Test
  void aMegabyteOfOneLetterIsMergedInNearlyLinearTime(@TempDir Path folder) throws IOException {
    try (Tokenizer engine = engine(folder)) {
      assertSameIds(engine, run(1 << 20, i -> 'a'), "one letter");
    }
  }

  @Test
  void splitsAroundEveryCodePointAsTheEngineDoes() throws IOException {
    LibUtils.checkStatus();
    TokenizersLibrary library = TokenizersLibrary.LIB;
    long handle =
        library.createTokenizerFromString(new String(RanksAsTokenizerJson.write(), UTF_8));
    int first = 0;
    while (first <= Character.MAX_CODE_POINT) {
      String text = probes(first);
      long encoding = library.encode(handle, text, false);
      assertThat(pieceOfEachId(text).toArray())
          .as("from U+%04X on", first)
          .isEqualTo(library.getWordIds(encoding));
      library.deleteEncoding(encoding);
      first += CODE_POINTS_PER_TEXT;
    }
    library.deleteTokenizer(handle);
  }

  /**
   * Each code point c as {@code 1cac!}. The pieces depend on the class of c: letters join the a,
   * numbers the 1, other characters the exclamation mark, white space none of them.
   */
  private static String probes(int first) {
    return IntStream.range(first, first + CODE_POINTS_PER_TEXT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .filter(c -> ASSIGNED_PLANES.contains(c >> 16) || c % 64 == 0)
        .mapToObj(c -> "1" + Character.toString(c) + "a" + Character.toString(c) + "!")
        .collect(Collectors.joining());
  }

  /** For each id of a text, the number of its piece. */
  private LongStream pieceOfEachId(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    LongStream.Builder pieces = LongStream.builder();
    int start = 0;
    for (int piece = 0; start < utf8.length; piece++) {
      int end = splitter.endOfPiece(utf8, start);
      int numIds = gpt2.encode(new String(utf8, start, end - start, UTF_8)).length;
      for (int i = 0; i < numIds; i++) {
        pieces.add(piece);
      }
      start = end;
    }
    return pieces.build();
  }

  private static Tokenizer engine(Path folder) throws IOException {
    Path file = Files.write(folder.resolve("tokenizer.json"), RanksAsTokenizerJson.write());
    return new HuggingFaceTokenizer(file);
  }

  private void assertSameIds(Tokenizer engine, String text, String what) {
    assertThat(gpt2.encode(text)).as(what).isEqualTo(engine.encode(text));
  }

  private static String run(int length, IntUnaryOperator codePointAt) {
    StringBuilder run = new StringBuilder();
    IntStream.range(0, length).map(codePointAt).forEachOrdered(run::appendCodePoint);
    return run.toString();
  }
}
