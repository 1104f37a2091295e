package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.DataFormatException;

/** Encodes texts with the characters of a special token that is in the model's vocabulary. */
class SpecialTokensIT {

  private static final int END_OF_TEXT = 1;

  private static final String UNIGRAM =
      """
      {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["</s>", -0.5], ["ab", -1], [" ", -1],
       ["cd", -1], ["<", -2], ["/", -2], ["s", -2], [">", -2]]}""";

  private static final String WORD_LEVEL =
      """
      {"type": "WordLevel", "unk_token": "<unk>",
       "vocab": {"<unk>": 0, "</s>": 1, "ab": 2, "cd": 3}}""";

  private static final String UNKNOWN_IS_END =
      WORD_LEVEL.replace("_token\": \"<unk>", "_token\": \"</s>");

  private static final String WORD_PIECE =
      """
      {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##",
       "max_input_chars_per_word": 100,
       "vocab": {"<unk>": 0, "</s>": 1, "ab": 2, "cd": 3, "<": 4, "##/s>": 5}}""";

  private static final String BPE_BY_MERGES =
      """
      {"type": "BPE", "vocab": {"x": 0, "</s>": 1, "ab": 2, "cd": 3, "<": 4, "/": 5, "s": 6, ">": 7,
       "</": 8, "s>": 9, "a": 10, "b": 11, "c": 12, "d": 13},
       "merges": ["a b", "c d", "< /", "s >", "</ s>"]}""";

  private static final String BPE_BY_WORDS =
      """
      {"type": "BPE", "ignore_merges": true, "vocab": {"x": 0, "</s>": 1, "ab": 2, "cd": 3, "<": 4,
       "/": 5, "s": 6, ">": 7}, "merges": []}""";

  private final Path file;

  SpecialTokensIT(@TempDir Path folder) {
    file = folder.resolve("tokenizer.json");
  }

  private Tokenizer tokenizer(String model) throws IOException {
    boolean inPieces = model.contains("Unigram");
    Files.writeString(
        file,
        """
        {"version": "1.0", "added_tokens": [{"id": 1, "content": "</s>", "special": true,
         "single_word": false, "lstrip": false, "rstrip": false, "normalized": false}],
         "pre_tokenizer": %s, "model": %s}"""
            .formatted(inPieces ? "null" : "{\"type\": \"WhitespaceSplit\"}", model));
    return new HuggingFaceTokenizer(file);
  }

  @ParameterizedTest
  @ValueSource(strings = {UNIGRAM, WORD_LEVEL, WORD_PIECE, BPE_BY_MERGES, BPE_BY_WORDS})
  void theCharactersOfEndOfTextDoNotGetItsId(String model) throws IOException {
    try (Tokenizer tokenizer = tokenizer(model)) {
      assertThat(tokenizer.endOfText()).isEqualTo(END_OF_TEXT);
      int[] words = tokenizer.encode("ab cd");
      int[] ids = tokenizer.encode("ab </s> cd");
      assertThat(ids).doesNotContain(END_OF_TEXT).hasSizeGreaterThan(words.length);
      assertThat(ids).startsWith(words[0]).endsWith(words[words.length - 1]);
    }
  }

  @Test
  void aTextIsRejectedIfItsUnknownTokenIsEndOfText() throws IOException {
    try (Tokenizer tokenizer = tokenizer(UNKNOWN_IS_END)) {
      assertThat(tokenizer.encode("ab cd")).containsExactly(2, 3);
      assertThatThrownBy(() -> tokenizer.encode("ab nobody cd"))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("encodes without its end-of-text token");
    }
  }
}
