package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.ConfigException;

/** The files are those of public models, with a few tokens. */
class BosRuleTest {
  private static final String FIRST = "{\"SpecialToken\": {\"id\": \"<s>\", \"type_id\": 0}}";
  private static final String TEXT = "{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}";
  private static final String BYTE_LEVEL = "{\"type\": \"ByteLevel\", \"use_regex\": true}";
  private static final String NONE = "tokenizer.json and tokenizer_config.json name none";

  @TempDir private Path folder;

  private static String template(String single, String ids) {
    return "{\"type\": \"TemplateProcessing\", \"single\": [%s], \"pair\": [], \"special_tokens\": {\"<s>\": {\"id\": \"<s>\", \"ids\": %s, \"tokens\": [\"<s>\"]}}}"
        .formatted(single, ids);
  }

  private static String sequence(String... processors) {
    return "{\"type\": \"Sequence\", \"processors\": [%s]}"
        .formatted(String.join(", ", processors));
  }

  private BosRule rule(String processor) throws IOException {
    Path file = folder.resolve("tokenizer.json");
    Files.writeString(
        file,
        """
        {"added_tokens": [{"id": 0, "content": "<unk>"}, {"id": 1, "content": "<s>", "special": true},
          {"id": 2, "content": "</s>", "special": true}],
         "post_processor": %s, "model": {"type": "BPE", "vocab": {"a": 3}, "merges": []}}
        """
            .formatted(processor));
    return BosRule.of(file);
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  @Test
  void aTemplateThatBeginsWithATokenNamesBos() throws IOException {
    BosRule expected = new BosRule(1, "tokenizer.json, post_processor");
    assertThat(rule(template(FIRST + ", " + TEXT, "[1]"))).isEqualTo(expected);
    assertThat(rule(sequence(BYTE_LEVEL, template(FIRST + ", " + TEXT, "[1]"))))
        .as("Llama 3")
        .isEqualTo(expected);
    assertThat(expected.inWords())
        .isEqualTo("begins with BOS, id 1 (tokenizer.json, post_processor)");
  }

  @Test
  void otherPostProcessorsNameNone() throws IOException {
    BosRule none = new BosRule(null, NONE);
    for (String processor :
        new String[] {
          "null",
          BYTE_LEVEL,
          sequence(BYTE_LEVEL),
          template(TEXT, "[1]"),
          template(TEXT + ", " + FIRST, "[1]")
        }) {
      assertThat(rule(processor)).as(processor).isEqualTo(none);
    }
    assertThat(none.inWords()).isEqualTo("begins without BOS (" + NONE + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "true; \"<s>\"; 1",
        "true; {\"__type\": \"AddedToken\", \"content\": \"</s>\", \"special\": true}; 2",
        "false; \"<s>\"; ",
        "null; \"<s>\"; "
      })
  void withoutSuchATemplateAddBosTokenDecides(String flag, String token, Integer id)
      throws IOException {
    write(
        "tokenizer_config.json",
        "{\"add_bos_token\": %s, \"bos_token\": %s}".formatted(flag, token));
    BosRule rule = rule(BYTE_LEVEL);
    assertThat(rule.id()).isEqualTo(id);
    assertThat(rule.source()).isEqualTo(id == null ? NONE : "tokenizer_config.json, add_bos_token");
  }

  @Test
  void theTemplateComesBeforeAddBosToken() throws IOException {
    write("tokenizer_config.json", "{\"add_bos_token\": false, \"bos_token\": \"</s>\"}");
    assertThat(rule(template(FIRST, "[1]")).id()).isEqualTo(1);
  }

  /** As in OPT's folder. */
  @Test
  void aTokenThatIsNotAddedHasTheIdOfConfigJson() throws IOException {
    write("tokenizer_config.json", "{\"add_bos_token\": true, \"bos_token\": \"<bos>\"}");
    assertThatThrownBy(() -> rule("null"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer_config.json, add_bos_token")
        .hasMessageContaining("one id of the token <bos>, which begins documents, found none");
    write("config.json", "{\"bos_token_id\": 7}");
    assertThat(rule("null").id()).isEqualTo(7);
  }

  @Test
  void aRuleThatTheTokenizerDoesNotTellIsWrittenBesideIt() throws IOException {
    rule("null");
    Path file = folder.resolve("tokenizer.json");
    String fast = "{\"tokenizer_class\":\"PreTrainedTokenizerFast\"";
    assertThat(BosRule.write(file, Optional.of(2), 0)).isTrue();
    assertThat(folder.resolve("tokenizer_config.json"))
        .hasContent(
            fast + ",\"eos_token\":\"<unk>\",\"add_bos_token\":true,\"bos_token\":\"</s>\"}");
    assertThat(BosRule.of(file).id()).isEqualTo(2);
    Files.delete(folder.resolve("tokenizer_config.json"));
    rule(template(FIRST, "[1]"));
    assertThat(BosRule.write(file, Optional.of(1), 2)).isTrue();
    assertThat(folder.resolve("tokenizer_config.json"))
        .hasContent(fast + ",\"eos_token\":\"</s>\"}");
    assertThat(BosRule.write(file, Optional.empty(), 2))
        .as("its template adds a BOS that the model does not read")
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[1, 2]", "[-1]", "[\"1\"]", "[4294967296]", "null"})
  void aTemplateWithoutOneIdIsRejected(String ids) {
    assertThatThrownBy(() -> rule(template(FIRST, ids)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer.json, post_processor: expected one id of the token <s>");
  }

  @Test
  void aDamagedFileIsRejected() throws IOException {
    write("tokenizer_config.json", "{");
    assertThatThrownBy(() -> rule("null"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer_config.json: expected a readable JSON file");
  }

  @Test
  void aModelsFolderIsATokenizer() throws IOException {
    rule("null");
    assertThat(Tokenizers.file(folder.toString())).contains(folder.resolve("tokenizer.json"));
    assertThat(Tokenizers.file("gpt2")).isEmpty();
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> Tokenizers.of(empty.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the path of a tokenizer.json or of its folder");
  }
}
