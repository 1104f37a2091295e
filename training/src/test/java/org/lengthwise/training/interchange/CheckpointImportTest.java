package org.lengthwise.training.interchange;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Rejected imports, which leave no files. */
class CheckpointImportTest {
  private static final CheckpointImport BYTES = new CheckpointImport(null, "bytes");

  private final Map<String, float[]> tensors = Gpt2Files.tensors(new Random(1));

  @TempDir private Path folder;
  private Path source = Path.of("");
  private Path output = Path.of("");

  @BeforeEach
  void choosePaths() {
    source = folder.resolve("source");
    output = folder.resolve("output");
  }

  private Exception rejected(String config) throws IOException {
    Gpt2Files.write(source, config, tensors);
    return rejected(BYTES, source);
  }

  private Exception rejected(CheckpointImport request, Path... sources) {
    Exception[] thrown = new Exception[1];
    assertThatThrownBy(() -> request.write(List.of(sources), output))
        .satisfies(exception -> thrown[0] = (Exception) exception);
    assertThat(output).doesNotExist();
    return thrown[0];
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"gelu_new\"; \"quick_gelu\"; activation_function: expected silu, gelu, gelu_new or relu,"
            + " found quick_gelu",
        "1e-05; 0; layer_norm_epsilon: expected a positive number, found 0",
        "\"gpt2\"; \"gptj\"; model_type: expected gpt2, gpt_neox, llama, mistral, qwen2, qwen3, opt,"
            + " bloom or mpt, found gptj",
        "\"scale_attn_weights\": true; \"scale_attn_weights\": false; scale_attn_weights: expected"
            + " true, found false",
        "\"n_ctx\": 9; \"add_cross_attention\": true; add_cross_attention: expected false",
        "\"n_ctx\": 9; \"tie_word_embeddings\": false; tie_word_embeddings: expected true",
        "\"n_layer\": 2,; ; n_layer: expected a positive integer, found no such key",
        "\"n_head\": 3; \"n_head\": 4; n_head: expected a divisor of width 6, found 4",
        "\"n_layer\": 2; \"n_layer\": 3; transformer.h.2.ln_1.weight of [6] is missing; ",
        "\"n_layer\": 2; \"n_layer\": 3; transformer.h.2.mlp.c_fc.bias of [24] is missing; and 2"
            + " more; use a complete checkpoint",
        "\"n_layer\": 2; \"n_layer\": 1; h.1.ln_1.weight is no tensor of this model",
        "\"n_inner\": null; \"n_inner\": 7; h.0.mlp.c_fc.weight is of [6, 24], not of [6, 7]",
        "\"n_positions\": 9; \"n_positions\": 8; wpe.weight is of [9, 6], not of [8, 6]"
      })
  void descriptionsOfOtherModelsAreRejected(String from, String to, String message)
      throws IOException {
    String changed = Gpt2Files.CONFIG.replace(from, to == null ? "" : to);
    assertThat(rejected(changed)).isInstanceOf(ConfigException.class).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"model_type\" 1", "[]", "", "{\"a\": 1, \"a\": 2}"})
  void damagedDescriptionsAreRejected(String config) throws IOException {
    assertThat(rejected(config))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("config.json: expected a JSON object");
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY})
  void weightsThatAreNotFiniteAreRejected(float number) throws IOException {
    Objects.requireNonNull(tensors.get("h.1.ln_2.bias 6"))[3] = number;
    assertThat(rejected(Gpt2Files.CONFIG))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("expected finite numbers in h.1.ln_2.bias, found " + number);
  }

  @Test
  void untiedOutputProjectionIsRejected() throws IOException {
    float[] head = Objects.requireNonNull(tensors.get("wte.weight 257 6")).clone();
    head[5]++;
    tensors.put("lm_head.weight 257 6", head);
    assertThat(rejected(Gpt2Files.CONFIG))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("lm_head.weight equal to the token embedding");
  }

  @Test
  void integerWeightsAreRejected() throws IOException {
    Gpt2Files.write(source, Gpt2Files.CONFIG, tensors);
    Path weights = source.resolve("model.safetensors");
    String content = Files.readString(weights, ISO_8859_1);
    Files.writeString(weights, content.replaceFirst("F32", "I32"), ISO_8859_1);
    assertThat(rejected(BYTES, source))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("wte.weight is in I32, not in F32, F16 or BF16");
  }

  @Test
  void modelWithoutATokenizerReadsIds() throws IOException {
    Gpt2Files.write(source, Gpt2Files.CONFIG, tensors);
    TokenizerIdentity tokenizer =
        new CheckpointImport(null, null)
            .write(List.of(source), source.resolveSibling("ids"))
            .origin()
            .tokenizer();
    assertThat(tokenizer.name()).isEqualTo("unknown");
    assertThat(tokenizer.vocabularySize()).isEqualTo(257);
  }

  @Test
  void missingInputsAreNamed() throws IOException {
    assertThat(rejected(BYTES, Files.createDirectory(source)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found no file of weights in safetensors format");
    Gpt2Files.write(source, Gpt2Files.CONFIG, tensors);
    assertThat(rejected(new CheckpointImport(null, "gpt2"), source))
        .hasMessageContaining("expected a tokenizer of at most 257 ids")
        .hasMessageContaining("id 257 is the first without a row");
    Path weights = source.resolve("model.safetensors");
    assertThat(rejected(BYTES, weights)).hasMessageContaining("expected a config.json");
    assertThat(rejected(BYTES, weights, source.resolve("vocab.json")))
        .hasMessageContaining("found another file");
    Path copy = Files.copy(weights, source.resolve("model-2.safetensors"));
    assertThat(rejected(BYTES, weights, copy)).hasMessageContaining("expected each tensor once");
  }

  @Test
  void namesThatFileNamesCannotHaveAreRejected() throws IOException {
    assertThatThrownBy(() -> new CheckpointImport("a/b", null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--name: expected letters");
    Gpt2Files.write(source, Gpt2Files.CONFIG, tensors);
    output = folder.resolve("my model");
    assertThat(rejected(BYTES, source))
        .hasMessageContaining("rename the folder, or import it with --name");
  }
}
