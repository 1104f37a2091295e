package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

class EndOfTextTest {
  private static final String SETTINGS = "tokenizer_config.json";
  private static final String CONFIG = "config.json";

  private final Path folder;
  private final Path file;

  EndOfTextTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    file =
        Files.writeString(
            folder.resolve("tokenizer.json"),
            """
            {"added_tokens": [{"id": 3, "content": "<｜end▁of▁sentence｜>", "special": true},
              {"id": 4, "content": "</s>", "special": true}, {"id": 5, "content": "<|im_end|>"}],
             "model": {"vocab": {"a": 0, "[STOP]": 1}}}""");
  }

  private void write(String name, String json) throws IOException {
    Files.writeString(folder.resolve(name), json);
  }

  private int endOfText() {
    return TokenizerFile.read(file).endOfText();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "tokenizer_config.json; {\"eos_token\": \"<｜end▁of▁sentence｜>\"}; 3",
        "tokenizer_config.json; {\"eos_token\": {\"content\": \"<|im_end|>\", \"lstrip\": false}}; 5",
        "tokenizer_config.json; {\"eos_token\": \"[STOP]\"}; 1",
        "tokenizer_config.json; {\"eos_token\": null}; 4",
        "config.json; {\"eos_token_id\": 3}; 3",
        "config.json; {\"eos_token_id\": [5, 3]}; 5",
        "config.json; {\"eos_token_id\": null}; 4",
        "config.json; {\"tokenizer\": {\"end_of_text\": 3}}; 3",
        "generation_config.json; {\"eos_token_id\": 3}; 3"
      })
  void theFilesBesideATokenizerTellEndOfText(String name, String json, int id) throws IOException {
    write(name, json);
    assertThat(endOfText()).isEqualTo(id);
  }

  @Test
  void theSettingsOfTheTokenizerComeFirstAndNamesLast() throws IOException {
    assertThat(endOfText()).isEqualTo(4);
    write("generation_config.json", "{\"eos_token_id\": 5}");
    assertThat(endOfText()).isEqualTo(5);
    write(CONFIG, "{\"eos_token_id\": 3}");
    assertThat(endOfText()).isEqualTo(3);
    write(SETTINGS, "{\"eos_token\": \"[STOP]\"}");
    assertThat(endOfText()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "tokenizer_config.json; {\"eos_token\": \"<eos>\"}; /eos_token: expected a token of"
            + " tokenizer.json that ends a document, found <eos>",
        "config.json; {\"eos_token_id\": 2}; /eos_token_id: expected a token of tokenizer.json that"
            + " ends a document, found 2",
        "config.json; {\"eos_token_id\": [2, 3]}; /eos_token_id/0: expected a token of",
        "config.json; {\"eos_token_id\": -1}; found -1",
        "config.json; {\"eos_token_id\": 3.5}; found 3.5",
        "config.json; {\"eos_token_id\": 1e99}; found 1.0E99",
        "config.json; {\"eos_token_id\"; found damaged JSON at line 1, column 16"
      })
  void aTokenThatTheTokenizerLacksIsNamed(String name, String json, String message)
      throws IOException {
    write(name, json);
    assertThatThrownBy(this::endOfText)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(folder.resolve(name).toString())
        .hasMessageContaining(message);
  }

  @Test
  void withoutAnyNameTheFileIsRefusedWithTheWayToNameIt() throws IOException {
    Files.writeString(file, "{\"added_tokens\": [], \"model\": {\"vocab\": {\"a\": 0}}}");
    assertThatThrownBy(this::endOfText)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "tokenizer.json: expected a token of tokenizer.json that ends a document: {\"eos_token")
        .hasMessageContaining(
            "in tokenizer_config.json beside it, or an added token <|endoftext|>");
  }

  @ParameterizedTest
  @CsvSource({"tokenizer.json", "tokenizer_config.json", "config.json"})
  void aPointerOfGitLfsIsNamed(String name) throws IOException {
    write(name, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
    assertThatThrownBy(this::endOfText)
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(name + ": expected the content of the file, found a Git LFS pointer")
        .hasMessageContaining("git lfs pull");
  }
}
