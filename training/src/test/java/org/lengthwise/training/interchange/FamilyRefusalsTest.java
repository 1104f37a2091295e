package org.lengthwise.training.interchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Temperature;
import org.lengthwise.positional.Tempered;
import org.lengthwise.training.interchange.FamilyFolders.Format;
import org.lengthwise.training.interchange.FamilyFolders.Model;

/** Folders of public families that cannot be imported. They leave no files. */
class FamilyRefusalsTest {
  private static final String INDEX = "model.safetensors.index.json";

  @TempDir private Path folder;

  private Exception refused(Path source) {
    return refused(new CheckpointImport(null, null), source);
  }

  private Exception refused(CheckpointImport request, Path source) {
    Path output = folder.resolve("output");
    Exception[] thrown = new Exception[1];
    assertThatThrownBy(() -> request.write(List.of(source), output))
        .satisfies(exception -> thrown[0] = (Exception) exception);
    assertThat(output).doesNotExist();
    return thrown[0];
  }

  private Path written(Model model) throws IOException {
    return FamilyFolders.write(folder.resolve("source"), model, Format.F32);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "llama; \"silu\"; \"quick_gelu\"; hidden_act: expected silu, gelu, gelu_new or relu, found",
        "llama; heads\": 2; heads\": 4; num_key_value_heads: expected a divisor of heads 6, found"
            + " 4",
        "llama; heads\": 2; heads\": \"2\"; num_key_value_heads: expected a positive integer, found 2",
        "llama; mlp_bias\": false; mlp_bias\": 0; mlp_bias: expected true or false, found 0",
        "llama; 1e-05; -1; rms_norm_eps: expected a positive number, found -1",
        "llama; vocab_size; vocabulary; vocab_size: expected a positive integer, found no such key",
        "llama; \"pretraining_tp\": 2; \"partial_rotary_factor\": 0.5; expected 1, found 0.5",
        "llama; 10000.0; 1.0; rope_theta: expected a number above 1, found 1.0",
        "llama; attention_heads\": 6; attention_heads\": 5; num_attention_heads: expected a divisor of"
            + " width 48, found 5",
        "llama; attention_heads\": 6; attention_heads\": 16; num_attention_heads: expected heads of an"
            + " even width, because rope rotates pairs, found 16",
        "llama-yarn; factor\": 4.0; factor\": 1e-9; rope_scaling.factor: expected a number that gives a"
            + " finite attention_factor above 0, found 1.0E-9",
        "llama; scaling\": null; scaling\": 4; rope_scaling: expected an object, found 4",
        "llama; layers\": 3; layers\": 2000000000; num_hidden_layers: expected at most 10000, found",
        "llama; scaling\": null; scaling\": {\"factor\": 4}; rope_type: expected one of default",
        "llama; scaling\": null; scaling\": {\"type\": \"su\"}; rope_scaling.type: expected default,"
            + " linear, dynamic, yarn, llama3 or longrope, found su",
        "llama; scaling\": null; scaling\": {\"type\": \"linear\"}; rope_scaling.factor: expected a"
            + " positive number, found no such key",
        "llama-1b-rope-parameters; 2.0; -2.0; rope_parameters.factor: expected a positive number",
        "llama-longrope; 1.1,; ; rope_scaling.short_factor: expected a number for each of the 4 rotated"
            + " pairs of a head, found [1.0,1.0,1.2]",
        "llama-longrope; [1.0, 1.5; [true, 1.5; long_factor: expected a list of positive numbers",
        "qwen2; _window\": false; _window\": true, \"sliding_window\": 8; max_window_layers: expected",
        "qwen2; _window\": false; _window\": true, \"sliding_window\": 8, \"max_window_layers\": 2,"
            + " \"layer_types\": [\"full_attention\", \"sliding_attention\", \"full_attention\"];"
            + " layer_types: expected [full_attention, full_attention, sliding_attention]",
        "neox; attention_bias\": true; attention_bias\": false; attention_bias: expected true",
        "neox; 0.25; 0.4; rotary_pct: expected a share that makes an even number, at least 2, of the 8"
            + " numbers of a head, found 0.4",
        "neox; 0.25; 0.1; rotary_pct: expected a share that makes an even number, at least 2, of the 8"
            + " numbers of a head, found 0.1",
        "neox; attention_heads\": 6; attention_heads\": 100; num_attention_heads: expected a divisor of"
            + " width 48, found 100",
        "opt; enable_bias\": true; enable_bias\": false; enable_bias: expected true, found false",
        "opt; elementwise_affine\": true; elementwise_affine\": false; affine: expected true",
        "opt; \"enable_bias\": true; \"_remove_final_layer_norm\": true; norm: expected false",
        "bloom; embeddings\": true; embeddings\": false; tie_word_embeddings: expected true",
        "bloom; seq_length; length; seq_length: expected a positive integer, found no such key",
        "mpt; alibi\": true; alibi\": false; attn_config.alibi: expected true, found false",
        "mpt; qk_ln\": false; qk_ln\": true; attn_config.qk_ln: expected false, found true",
        "mpt; prefix_lm\": false; prefix_lm\": true; attn_config.prefix_lm: expected false",
        "mpt; multihead_attention; multiquery_attention; attn_config.attn_type: expected"
            + " multihead_attention, found multiquery_attention",
        "mpt; no_bias\": true; no_bias\": false; no_bias: expected true, found false",
        "mpt; ratio\": 4; ratio\": 2; expansion_ratio: expected 4, found 2",
        "mpt; qk_ln\": false; rope\": true; attn_config.rope: expected false, found true",
        "mpt; qk_ln\": false; sliding_window_size\": 64; sliding_window_size: expected -1, found 64",
        "mpt; qk_ln\": false; kv_n_heads\": 2; attn_config.kv_n_heads: expected 6, found 2",
        "llama; \"pretraining_tp\": 2; \"layer_types\": [\"full_attention\", \"sliding_attention\","
            + " \"full_attention\"]; layer_types: expected [full_attention, full_attention,",
        "neox; \"vocab_size\"; \"layer_types\": [\"sliding_attention\"], \"vocab_size\";"
            + " layer_types: expected [full_attention, full_attention, full_attention]",
        "gpt2; \"n_embd\"; \"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4},"
            + " \"n_embd\"; quantization_config: expected weights that are not quantized, found gptq",
        "llama; \"pretraining_tp\": 2; \"compression_config\": {\"quant_method\": \"fp8\"};"
            + " compression_config: expected weights that are not quantized, found fp8",
        "llama; \"pretraining_tp\": 2; \"quantization_config\": {\"load_in_8bit\": true};"
            + " from_pretrained(\"DIR\").dequantize().save_pretrained(\"NEW\")",
        "mpt; no_bias\": true; logit_scale\": 0.5; logit_scale: expected null, found 0.5"
      })
  void valuesThatTheDecoderCannotComputeAreRefused(
      String name, String from, String to, String message) throws IOException {
    Path source = written(FamilyFolders.of(name).with(from, to == null ? "" : to));
    assertThat(refused(source))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(source.resolve("config.json") + ": ")
        .hasMessageContaining(message);
  }

  @Test
  void aTokenizerWithMoreIdsThanTheEmbeddingIsRefused() throws IOException {
    Path source = written(FamilyFolders.of("llama"));
    assertThat(refused(new CheckpointImport(null, "bytes"), source))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--tokenizer bytes: expected a tokenizer of at most 61 ids")
        .hasMessageContaining("found 257 ids, of which id 61 is the first");
    Path file = source.resolve("tokenizer.json");
    Files.writeString(
        file,
        """
        {"added_tokens": [{"id": 61, "content": "</s>"}], "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}
        """);
    assertThat(refused(source)).hasMessageStartingWith(file + ": expected a tokenizer of at most");
  }

  @ParameterizedTest
  @CsvSource({
    "llama-tied, lm_head.weight, model.embed_tokens.weight",
    "bloom, lm_head.weight, transformer.word_embeddings.weight"
  })
  void anOutputThatDiffersFromTiedEmbeddingsIsRefused(String name, String head, String embedding)
      throws IOException {
    Model model = FamilyFolders.of(name);
    model.tensors().put(head, Objects.requireNonNull(model.tensors().get(embedding)));
    assertThat(refused(written(model)))
        .hasMessageContaining(head + " equal to the token embedding");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "../x.safetensors; expected the name of a .safetensors file, found ../x.safetensors",
        "/x.safetensors; expected the name of a .safetensors file, found /x.safetensors",
        "sub/x.safetensors; expected the name of a .safetensors file, found sub/x.safetensors",
        "config.json; expected the name of a .safetensors file, found config.json",
        "absent.safetensors; expected a file of this folder, found absent.safetensors, which is"
      })
  void theIndexMayNameFilesOfTheFolderOnly(String file, String message) throws IOException {
    Path source = FamilyFolders.writeShards(folder.resolve("source"), FamilyFolders.of("llama"));
    Files.move(source.resolve("model-1.safetensors"), folder.resolve("x.safetensors"));
    String index = Files.readString(source.resolve(INDEX));
    Files.writeString(source.resolve(INDEX), index.replace("model-1.safetensors", file));
    assertThat(refused(source))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(INDEX + ": weight_map.")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"config.json", "model.safetensors.index.json", "model-1.safetensors"})
  void aLinkThatLeavesTheFolderIsRefused(String file) throws IOException {
    Path source = FamilyFolders.writeShards(folder.resolve("source"), FamilyFolders.of("llama"));
    Path outside = Files.move(source.resolve(file), folder.resolve("outside"));
    Files.createSymbolicLink(source.resolve(file), outside);
    assertThat(refused(source))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            file + ": expected a file of this folder, found a link to " + outside);
  }

  @Test
  void aTensorThatIsNotInItsFileIsRefused() throws IOException {
    Path source = FamilyFolders.writeShards(folder.resolve("source"), FamilyFolders.of("llama"));
    String index = Files.readString(source.resolve(INDEX));
    Files.writeString(
        source.resolve(INDEX), index.replace("{\"lm", "{\"x\": \"model-1.safetensors\", \"lm"));
    assertThat(refused(source))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("model-1.safetensors: expected the tensor x, as the index");
  }

  @ParameterizedTest
  @ValueSource(strings = {"config.json", "model.safetensors.index.json", "model-1.safetensors"})
  void aPointerOfGitLfsIsNamed(String file) throws IOException {
    Path source = FamilyFolders.writeShards(folder.resolve("source"), FamilyFolders.of("llama"));
    Files.writeString(
        source.resolve(file), "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
    assertThat(refused(source))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(file + ": expected the content of the file, found a Git LFS pointer")
        .hasMessageContaining("`git lfs pull`");
  }

  @Test
  void anAdapterIsNamedAlsoBesideAModel() throws IOException {
    Path adapter = Files.createDirectory(folder.resolve("adapter"));
    for (Path source : List.of(adapter, written(FamilyFolders.of("llama")))) {
      Files.writeString(source.resolve("adapter_config.json"), "{\"peft_type\": \"LORA\"}");
      assertThat(ModelFolder.isOfOtherSoftware(source)).isTrue();
      assertThat(refused(source)).hasMessageContainingAll("an adapter (LoRA)", "merge_and_unload");
    }
  }

  @Test
  void aPageOfAServerIsNamed() throws IOException {
    Path source = written(FamilyFolders.of("llama"));
    Path weights = source.resolve("model.safetensors");
    Files.writeString(weights, "<!doctype html>\n<title>Not Found</title>");
    assertThat(refused(source)).hasMessageContaining("found a page of HTML");
  }

  /** The default of Hugging Face's library. */
  @Test
  void qwenWithWindowsButNoLengthHasTheUsualOne() throws IOException {
    Path config = written(FamilyFolders.of("qwen2")).resolve("config.json");
    String json = Files.readString(config);
    String on = "_window\": true, \"max_window_layers\": 1";
    Files.writeString(config, json.replace("_window\": false", on));
    Rope rope = (Rope) FamilyConfig.read(config).model().position();
    assertThat(rope.window()).isEqualTo(new LayerWindow(4096, 1));
    String none = on + ", \"sliding_window\": null";
    Files.writeString(config, json.replace("_window\": false", none));
    assertThat(((Rope) FamilyConfig.read(config).model().position()).window()).isNull();
  }

  @Test
  void infinityInAKeyThatIsNotReadIsNoFault() throws IOException {
    Path source = written(FamilyFolders.of("llama"));
    Path config = source.resolve("config.json");
    String json = Files.readString(config);
    Files.writeString(config, json.replaceFirst("\\{", "{\"limits\": [0.0, Infinity, NaN],"));
    assertThat(FamilyConfig.read(config).model().layers()).isPositive();
    Files.writeString(config, json.replace("1e-05", "NaN"));
    assertThat(refused(source)).hasMessageContaining("rms_norm_eps: expected a positive number");
  }

  /** A row for padding is often missing: no text has the id. */
  @Test
  void aTokenizerMayListIdsThatNoTextHas() throws IOException {
    Path source = written(FamilyFolders.of("llama"));
    Path file = source.resolve("tokenizer.json");
    String pad =
        Files.readString(file)
            .replace(
                "\"added_tokens\": [",
                "\"added_tokens\": [{\"id\": 61, \"content\": \"<pad>\", \"special\": true,"
                    + " \"single_word\": false, \"lstrip\": false, \"rstrip\": false,"
                    + " \"normalized\": false},");
    Files.writeString(file, pad);
    TokenizerIdentity tokenizer =
        new CheckpointImport(null, null)
            .write(List.of(source), folder.resolve("usable"))
            .origin()
            .tokenizer();
    assertThat(tokenizer.vocabularySize()).isEqualTo(61);
    Files.writeString(file, pad.replaceFirst("\"special\": true", "\"special\": false"));
    assertThat(refused(source)).hasMessageStartingWith(file + ": expected a tokenizer of at");
  }

  @Test
  void pickledWeightsAreRefusedWithTheWayToConvertThem() throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    Files.writeString(source.resolve("config.json"), FamilyFolders.of("llama").config());
    Path pickle = Files.createFile(source.resolve("pytorch_model.bin"));
    for (Path named : List.of(source, pickle)) {
      assertThat(refused(named))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("pytorch_model.bin, a format that can run any program")
          .hasMessageContaining(".save_pretrained(\"NEW\", safe_serialization=True)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"weight_map\": []}", "{\"weight_map\": {}}", "{}"})
  void anIndexWithoutFilesIsRefused(String index) throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    Files.writeString(source.resolve(INDEX), index);
    assertThat(refused(source)).isInstanceOf(ConfigException.class);
  }

  /** A family would compute the scheme without its temperature. */
  @Test
  void noFamilyHasATemperature() {
    ModelConfig plain = new ModelConfig(2, 8, 2, 11, new Alibi());
    PositionalScheme tempered = new Tempered(new Alibi(), new Temperature(Temperature.Name.SSMAX));
    FamilyConfig read = new FamilyConfig(Family.MPT, plain, 16);
    assertThat(read.differences(plain)).isEmpty();
    assertThat(read.differences(plain.with(tempered)))
        .containsExactly(new FamilyConfig.Difference("position.temperature", "none", "ssmax"));
  }
}
