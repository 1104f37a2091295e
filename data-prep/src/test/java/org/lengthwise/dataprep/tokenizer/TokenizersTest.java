package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class TokenizersTest {

  private final Path folder;

  TokenizersTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void builtInTokenizersAreFoundByName() {
    try (Tokenizer bytes = Tokenizers.of("bytes");
        Tokenizer gpt2 = Tokenizers.of("gpt2")) {
      assertThat(bytes.name()).isEqualTo("bytes");
      assertThat(gpt2.name()).isEqualTo("gpt2");
    }
  }

  @Test
  void anUnknownNameIsRejectedWithTheKnownNames() {
    assertThatThrownBy(() -> Tokenizers.of("gpt3"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gpt3")
        .hasMessageContaining("bytes")
        .hasMessageContaining("tokenizer.json");
  }

  @Test
  void aFileThatIsNotATokenizerIsRejected() throws IOException {
    assertRejected("not JSON", "none.json");
    assertRejected("{\"vocab\": 3}", "model");
    assertRejected("{\"model\": {\"vocab\": {}}}}", "damaged JSON at line 1, column 25");
    assertRejected("{\"model\": {}, \"model\": {}}", "a key twice");
    assertRejected(
        "{\"score\": NaN, \"model\": {\"dropout\": 0.1}}", "model.dropout: expected null");
  }

  @Test
  void aTokenizerWithoutEndOfTextIsRejectedWithTheAcceptedNames() throws IOException {
    assertRejected(
        "{\"added_tokens\": [{\"id\": 0, \"content\": \"<unk>\"}], \"model\": {\"vocab\": {}}}",
        "<|endoftext|>");
  }

  @Test
  void theVocabularySizeFollowsFromTheLargestId() throws IOException {
    Path file = folder.resolve("t.json");
    Files.writeString(
        file,
        "{\"added_tokens\": [{\"id\": 9, \"content\": \"</s>\", \"special\": true},"
            + " {\"id\": 4, \"content\": \"<x>\", \"special\": false}],"
            + " \"model\": {\"vocab\": {\"a\": 0, \"b\": 7}}}");
    TokenizerFile read = TokenizerFile.read(file);
    assertThat(read.vocabularySize()).isEqualTo(10);
    assertThat(read.endOfText()).isEqualTo(9);
    assertThat(read.engineJson()).contains("<x>").doesNotContain("</s>");
  }

  @Test
  void theBytesOfATokenAreThoseOfItsText() throws IOException {
    String added =
        "{\"added_tokens\": [{\"id\": 0, \"content\": \"</s>\"}, {\"id\": 1, \"content\":"
            + " \"<mask>\", \"special\": true}, {\"id\": 2, \"content\": \"  é\"}],";
    assertThat(
            numBytes(
                added
                    + "\"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [{\"type\":"
                    + " \"ByteLevel\"}]}, \"model\": {\"vocab\": {\"</s>\": 0, \"Ġa\": 3, \"ÃŃ\":"
                    + " 4, \"<0x0A>\": 5, \"▁\": 6}}}"))
        .as("byte-level: a character is a byte, and a text if it stands for none")
        .containsExactly(0, 0, 4, 2, 2, 6, 1);
    assertThat(
            numBytes(
                added
                    + "\"decoder\": {\"type\": \"WordPiece\"}, \"model\":"
                    + " {\"continuing_subword_prefix\": \"##\", \"vocab\": {\"</s>\": 0, \"é\": 3,"
                    + " \"##ing\": 4, \"<0x0A>\": 5, \"#\": 6}}}"))
        .containsExactly(0, 0, 4, 2, 3, 1, 1);
    assertThat(
            numBytes(
                added
                    + "\"model\": {\"type\": \"Unigram\", \"vocab\": [[\"</s>\", 0], [\"<mask>\", 0],"
                    + " [\"x\", 0], [\"▁▁the\", 0], [\"€\", 0]]}}"))
        .containsExactly(0, 0, 4, 5, 3);
  }

  private int[] numBytes(String json) throws IOException {
    TokenizerFile file = TokenizerFile.read(Files.writeString(folder.resolve("t.json"), json));
    return IntStream.range(0, file.vocabularySize()).map(file.text()::numBytes).toArray();
  }

  private void assertRejected(String content, String mentioned) throws IOException {
    Path file = folder.resolve("none.json");
    Files.writeString(file, content);
    assertThatThrownBy(() -> Tokenizers.of(file.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("none.json")
        .hasMessageContaining(mentioned);
  }
}
