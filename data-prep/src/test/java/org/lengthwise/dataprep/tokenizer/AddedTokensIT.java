package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Added tokens have the ids of the file, whatever the engine would give them. */
class AddedTokensIT {
  private static final long SEED = DiverseText.SEED;

  private static final Map<String, String> OPTIONS =
      Map.of("addSpecialTokens", "false", "truncation", "false", "padding", "false");

  @TempDir private Path folder;

  private Tokenizer open(String json) throws IOException {
    return new HuggingFaceTokenizer(Files.writeString(folder.resolve("tokenizer.json"), json));
  }

  static List<String> families() {
    return FamilyLayouts.names();
  }

  /** DJL's class, which gives the unchanged file to the engine, is the independent opinion. */
  @ParameterizedTest
  @MethodSource("families")
  void idsAndTextsAreThoseOfTheUnchangedFile(String family) throws IOException {
    String json = FamilyLayouts.of(family);
    if (family.equals("deepseek")) {
      Files.writeString(
          folder.resolve("tokenizer_config.json"),
          "{\"eos_token\": {\"content\": \"<｜end▁of▁sentence｜>\"}}");
    }
    try (Tokenizer ours = open(json);
        var unchanged =
            ai.djl.huggingface.tokenizers.HuggingFaceTokenizer.newInstance(
                folder.resolve("tokenizer.json"), OPTIONS)) {
      for (String text : texts(json)) {
        long[] expected = unchanged.encode(text).getIds();
        int[] ids = ours.encode(text);
        assertThat(Arrays.stream(ids).asLongStream().toArray())
            .as("%s, seed %d: %s", family, SEED, text)
            .isEqualTo(expected);
        assertThat(ours.decode(ids)).as(text).isEqualTo(unchanged.decode(expected, false));
      }
    }
  }

  /** Texts without special tokens, and mixtures with all added tokens. */
  private static List<String> texts(String json) throws IOException {
    List<String> special = new ArrayList<>();
    List<String> pieces = new ArrayList<>(List.of("the", " ", "  ", "\n", "1 two", "é", "<", "th"));
    for (JsonNode token : new ObjectMapper().readTree(json).path("added_tokens")) {
      (token.path("special").asBoolean() ? special : pieces).add(token.path("content").asText());
    }
    List<String> texts = new ArrayList<>(DiverseText.samples(SEED));
    texts.replaceAll(text -> special.stream().reduce(text, (t, name) -> t.replace(name, "")));
    Random random = new Random(SEED);
    for (int i = 0; i < 200; i++) {
      StringBuilder text = new StringBuilder();
      for (int piece = random.nextInt(12); piece >= 0; piece--) {
        text.append(pieces.get(random.nextInt(pieces.size())));
      }
      texts.add(text.toString());
    }
    return texts;
  }

  /** The list names an id, its content and whether it is special. The vocabulary has three ids. */
  private Tokenizer open(String vocabulary, String... added) throws IOException {
    return open(file(vocabulary, added));
  }

  private static String file(String vocabulary, String... added) {
    StringBuilder list = new StringBuilder();
    for (String token : added) {
      String[] parts = token.split("=", 2);
      list.append(list.isEmpty() ? "" : ",")
          .append(
              """
              {"id": %s, "content": "%s", "special": %s, "single_word": false, "lstrip": false,
               "rstrip": false, "normalized": false}"""
                  .formatted(parts[0], parts[1], parts[1].startsWith("<|")));
    }
    return """
        {"added_tokens": [%s], "decoder": {"type": "Fuse"},
         "model": {"type": "BPE", "vocab": %s, "merges": []}}"""
        .formatted(list, vocabulary);
  }

  private static void assertIds(Tokenizer tokenizer, String text, int... ids) {
    assertThat(tokenizer.encode(text)).as(text).containsExactly(ids);
    assertThat(tokenizer.decode(ids)).isEqualTo(text);
  }

  @Test
  void idsAreThoseOfTheFileAfterSpecialTokensInAnyOrderAndWithGaps() throws IOException {
    String abc = "{\"a\": 0, \"b\": 1, \" \": 2}";
    try (Tokenizer afterSpecial =
        open(abc, "3=<|endoftext|>", "4=<|pad|>", "5=<think>", "6=</think>")) {
      assertIds(afterSpecial, "a<think>b</think>", 0, 5, 1, 6);
      assertThat(afterSpecial.vocabularySize()).isEqualTo(7);
    }
    try (Tokenizer unordered = open(abc, "6=</think>", "3=<|endoftext|>", "5=<think>")) {
      assertIds(unordered, "a<think>b</think>", 0, 5, 1, 6);
    }
    try (Tokenizer withGaps = open(abc, "900=  ", "3=<|endoftext|>", "70=<think>")) {
      assertIds(withGaps, "a<think>  b ", 0, 70, 900, 1, 2);
      assertThat(withGaps.vocabularySize()).isEqualTo(901);
      assertThat(withGaps.decode(new int[] {0, 3, 4, 899, 1, 5000})).isEqualTo("ab");
    }
  }

  @Test
  void idsAreThoseOfTheFileAroundAVocabularyWithGaps() throws IOException {
    try (Tokenizer tokenizer =
        open("{\"b\": 9, \"a\": 4, \"<x>\": 6}", "5=<y>", "6=<x>", "0=<|endoftext|>", "7=<z>")) {
      assertIds(tokenizer, "<z>ab<x><y>", 7, 4, 9, 6, 5);
      assertThat(tokenizer.numBytes(9)).isEqualTo(1);
      assertThat(tokenizer.numBytes(5)).isEqualTo(3);
      assertThat(tokenizer.numBytes(8)).isZero();
    }
  }

  @Test
  void theUnknownTokenMayBeAnAddedTokenOrEndOfText() throws IOException {
    String abc = "{\"a\": 0, \"b\": 1, \"<|endoftext|>\": 2}";
    String unknown = "\"type\": \"BPE\", \"unk_token\": \"%s\"";
    String json = file(abc, "3=<|unk|>", "2=<|endoftext|>", "4=<think>");
    try (Tokenizer added = open(json.replace("\"type\": \"BPE\"", unknown.formatted("<|unk|>")))) {
      assertIds(added, "a<think>b", 0, 4, 1);
    }
    String end = unknown.formatted("<|endoftext|>");
    try (Tokenizer endOfText = open(json.replace("\"type\": \"BPE\"", end))) {
      assertIds(endOfText, "a<think>b", 0, 4, 1);
      assertThat(endOfText.decode(new int[] {0, 2, 1})).isEqualTo("ab");
      assertThatThrownBy(() -> endOfText.encode("x")).isInstanceOf(DataFormatException.class);
    }
  }

  /** A name of end-of-text in another family is a text in this one. */
  @Test
  void onlyTheTokenThatEndsDocumentsAndSpecialTokensAreHidden() throws IOException {
    try (Tokenizer tokenizer =
        open("{\"a\": 0, \"[SEP]\": 1, \"</s>\": 2}", "1=[SEP]", "2=</s>", "3=<|endoftext|>")) {
      assertIds(tokenizer, "a[SEP]</s>", 0, 1, 2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1=<x>, 4=<x>, 'expected one id of <x>, found 1 and 4'",
    "4=a, 5=<x>, 'expected one id of a, found 0 and 4'",
    "-1=<x>, 5=<y>, 'expected ids from 0 to 16777215, found -1'",
    "2147483648=<x>, 5=<y>, 'expected ids from 0 to 16777215, found 2147483648'",
    "\"5\"=<x>, 6=<y>, 'expected ids from 0 to 16777215, found \"5\"'"
  })
  void idsThatCannotBeMeantAreRefused(String first, String second, String message) {
    assertThatThrownBy(() -> open("{\"a\": 0}", "3=<|endoftext|>", first, second))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer.json, added_tokens: " + message);
  }
}
