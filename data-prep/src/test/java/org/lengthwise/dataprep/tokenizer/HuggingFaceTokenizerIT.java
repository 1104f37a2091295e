package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class HuggingFaceTokenizerIT {

  private final Path folder;

  HuggingFaceTokenizerIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path gpt2() throws IOException {
    return Files.write(folder.resolve("tokenizer.json"), RanksAsTokenizerJson.write());
  }

  @Test
  void decodingRestoresTheTextWithoutEndOfText() throws IOException {
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(gpt2())) {
      for (String text : DiverseText.samples(DiverseText.SEED)) {
        assertThat(tokenizer.decode(tokenizer.encode(text)))
            .as("seed %d", DiverseText.SEED)
            .isEqualTo(text);
      }
      assertThat(tokenizer.decode(new int[] {15496, 50256, 995})).isEqualTo("Hello world");
    }
  }

  @Test
  void vocabularySizeAndEndOfTextComeFromTheFile() throws IOException {
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(gpt2())) {
      assertThat(tokenizer.vocabularySize()).isEqualTo(50257);
      assertThat(tokenizer.endOfText()).isEqualTo(50256);
      assertThat(tokenizer.name()).isEqualTo("tokenizer.json");
    }
  }

  /** The file writes each byte as a character, the ranks of {@link Gpt2Tokenizer} do not. */
  @Test
  void everyIdHasTheBytesOfTheSameIdOfGpt2() throws IOException {
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(gpt2());
        Tokenizer gpt2 = new Gpt2Tokenizer()) {
      assertThat(IntStream.range(0, gpt2.vocabularySize()).map(tokenizer::numBytes).toArray())
          .isEqualTo(IntStream.range(0, gpt2.vocabularySize()).map(gpt2::numBytes).toArray());
    }
  }

  /**
   * A vocabulary with a piece for a space, bytes for rare characters and an added token that is
   * text. The engine adds a space before a text, which is no part of it.
   */
  @Test
  void theBytesOfSentencePiecesAreThoseOfTheTextAndTheSpaceBeforeIt() throws IOException {
    StringBuilder vocabulary = new StringBuilder("{\"<unk>\": 0, \"</s>\": 1");
    for (int b = 0; b < 256; b++) {
      vocabulary.append(String.format(Locale.ROOT, ", \"<0x%02X>\": %d", b, 2 + b));
    }
    vocabulary.append(", \"▁\": 258, \"é\": 259, \"a\": 260, \"▁a\": 261, \"<n>\": 262}");
    Path file = folder.resolve("pieces.json");
    Files.writeString(
        file,
        """
        {"added_tokens": [
           {"id": 0, "content": "<unk>", "special": true},
           {"id": 1, "content": "</s>", "special": true},
           {"id": 262, "content": "<n>", "special": false, "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false}],
         "normalizer": {"type": "Sequence", "normalizers": [
           {"type": "Prepend", "prepend": "▁"},
           {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
         "model": {"type": "BPE", "unk_token": "<unk>", "byte_fallback": true,
           "vocab": %s, "merges": ["▁ a"]}}"""
            .formatted(vocabulary));
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(file)) {
      for (String text : List.of("a aé", "  a 😀x", "a\n€")) {
        assertThat(Arrays.stream(tokenizer.encode(text)).map(tokenizer::numBytes).sum())
            .as(text)
            .isEqualTo(1 + text.getBytes(StandardCharsets.UTF_8).length);
      }
      assertThat(IntStream.of(0, 1, 2 + 10, 258, 259, 261, 262).map(tokenizer::numBytes))
          .containsExactly(0, 0, 1, 1, 2, 2, 3);
    }
  }

  @Test
  void severalThreadsMayEncodeAtTheSameTime() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(gpt2())) {
      List<String> texts = DiverseText.samples(13);
      List<int[]> alone = texts.stream().map(tokenizer::encode).toList();
      List<Future<int[]>> together =
          texts.stream().map(text -> threads.submit(() -> tokenizer.encode(text))).toList();
      for (int i : IntStream.range(0, texts.size()).toArray()) {
        assertThat(together.get(i).get()).isEqualTo(alone.get(i));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void partsOfALongTextHaveTheIdsOfTheWhole() throws IOException {
    String text = String.join("", DiverseText.samples(DiverseText.SEED));
    assertThat(SafeCuts.atOrAfter(1000, text)).as("seed %d", DiverseText.SEED).isLessThan(10_000);
    String gpt2 = Files.readString(gpt2());
    assertPartsAreExact(gpt2, text);
    for (String pattern : SafeCuts.PATTERNS) {
      ObjectNode root = (ObjectNode) new ObjectMapper().readTree(gpt2);
      root.putObject("normalizer").put("type", "NFC");
      ObjectNode sequence = root.putObject("pre_tokenizer").put("type", "Sequence");
      ArrayNode steps = sequence.putArray("pretokenizers");
      ObjectNode split = steps.addObject().put("type", "Split").put("behavior", "Isolated");
      split.put("invert", false).putObject("pattern").put("Regex", pattern);
      ObjectNode bytes = steps.addObject().put("type", "ByteLevel").put("use_regex", false);
      bytes.put("add_prefix_space", false).put("trim_offsets", true);
      assertPartsAreExact(root.toString(), text);
    }
  }

  private void assertPartsAreExact(String json, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("cut.json"), json);
    assertThat(TokenizerFile.read(file).mayBeCut()).isTrue();
    try (Tokenizer whole = new HuggingFaceTokenizer(file, text.length());
        Tokenizer inParts = new HuggingFaceTokenizer(file, 1)) {
      assertThat(inParts.encode(text))
          .as("seed %d", DiverseText.SEED)
          .isEqualTo(whole.encode(text));
    }
  }

  @Test
  void closingTwiceIsHarmlessAndEncodingAfterwardsIsRejected() throws IOException {
    Tokenizer tokenizer = new HuggingFaceTokenizer(gpt2());
    tokenizer.close();
    tokenizer.close();
    assertThatThrownBy(() -> tokenizer.encode("text"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> tokenizer.decode(new int[] {1}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void aModelThatTheEngineCannotRunIsNamed() throws IOException {
    Path file = folder.resolve("odd.json");
    Files.writeString(
        file,
        "{\"added_tokens\": [{\"id\": 0, \"content\": \"</s>\"}], \"model\": {\"type\": \"Odd\"}}");
    assertThatThrownBy(() -> new HuggingFaceTokenizer(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("odd.json");
  }
}
