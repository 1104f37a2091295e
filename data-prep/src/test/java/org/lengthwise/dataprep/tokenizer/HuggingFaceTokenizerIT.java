package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
