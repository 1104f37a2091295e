package org.lengthwise.training.interchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.training.interchange.FamilyFolders.Format;
import org.lengthwise.training.interchange.FamilyFolders.Model;
import org.lengthwise.training.safetensors.HandWritten;

/** Files in which safetensors stored a tensor of two modules once, with an alias. */
class SharedTensorsTest {
  @TempDir private Path folder;

  private byte[] imported(Path source) throws IOException {
    Path output = folder.resolve(source.getFileName() + "-imported");
    new CheckpointImport(null, null).write(List.of(source), output);
    return Files.readAllBytes(output.resolve("model.safetensors"));
  }

  /** Replaces a part of the header, and adds metadata. */
  private static void edit(Path source, String from, String to, String metadata)
      throws IOException {
    Path file = source.resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    int data = Long.BYTES + (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    String header = new String(bytes, Long.BYTES, data - Long.BYTES, UTF_8);
    assertThat(header).contains(from);
    HandWritten.file(
        file,
        header.replace(from, to).replaceFirst("\\{", "{\"__metadata__\":{" + metadata + "},"),
        Arrays.copyOfRange(bytes, data, bytes.length));
  }

  /** The alias names the removed tensor first. A name may lack its prefix, as in files of GPT-2. */
  @ParameterizedTest
  @CsvSource({
    "gpt2, transformer.wte.weight, transformer.wte.weight",
    "gpt2, transformer.wte.weight, wte.weight",
    "llama-tied, model.embed_tokens.weight, model.embed_tokens.weight",
    "qwen2, model.embed_tokens.weight, model.embed_tokens.weight",
    "opt, model.decoder.embed_tokens.weight, model.decoder.embed_tokens.weight",
    "bloom, transformer.word_embeddings.weight, transformer.word_embeddings.weight",
    "mpt, transformer.wte.weight, transformer.wte.weight"
  })
  void tiedEmbeddingsAreReadUnderTheNameOfTheOutput(String name, String embedding, String alias)
      throws IOException {
    Model model = FamilyFolders.of(name);
    byte[] plain = imported(FamilyFolders.write(folder.resolve("plain"), model, Format.F32));
    Path shared = FamilyFolders.write(folder.resolve("shared"), model, Format.F32);
    edit(
        shared,
        embedding,
        "lm_head.weight",
        "\"format\": \"pt\", \"%s\": \"lm_head.weight\"".formatted(alias));
    assertThat(imported(shared)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource({
    "llama, lm_head.weight, model.embed_tokens.weight",
    "mistral, lm_head.weight, model.embed_tokens.weight",
    "qwen3, lm_head.weight, model.embed_tokens.weight",
    "neox, embed_out.weight, gpt_neox.embed_in.weight",
    "neox, gpt_neox.layers.1.input_layernorm.bias, gpt_neox.layers.0.input_layernorm.bias"
  })
  void anyTensorIsReadThroughItsAlias(String name, String removed, String kept) throws IOException {
    Model model = FamilyFolders.of(name);
    Map<String, float[]> numbers = model.numbers();
    numbers.put(removed, Objects.requireNonNull(numbers.get(kept)));
    byte[] plain =
        imported(FamilyFolders.write(folder.resolve("plain"), model, numbers, Format.F32));
    numbers.remove(removed);
    Path shared = FamilyFolders.write(folder.resolve("shared"), model, numbers, Format.F32);
    edit(shared, "{", "{", "\"%s\": \"other\", \"other\": \"%s\"".formatted(removed, kept));
    assertThat(imported(shared)).isEqualTo(plain);
  }

  @Test
  void anAliasOfASplitModelIsRead() throws IOException {
    Model model = FamilyFolders.of("gpt2");
    byte[] plain = imported(FamilyFolders.write(folder.resolve("plain"), model, Format.F32));
    Path shards = FamilyFolders.writeShards(folder.resolve("shards"), model);
    Path first = Files.createDirectory(folder.resolve("first"));
    Path file = first.resolve("model.safetensors");
    String index = Files.readString(shards.resolve("model.safetensors.index.json"));
    String stored = index.replaceFirst("(?s).*\"transformer.wte.weight\": \"([^\"]+)\".*", "$1");
    Files.move(shards.resolve(stored), file);
    edit(
        first,
        "transformer.wte.weight",
        "lm_head.weight",
        "\"transformer.wte.weight\": \"lm_head.weight\"");
    Files.move(file, shards.resolve(stored));
    assertThat(imported(shards)).isEqualTo(plain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"transformer.wte.weight\": \"lm_head.wait\"; transformer.lm_head.wait",
        "\"transformer.wte.weight\": \"transformer.wte.weight\"; transformer.wte.weight",
        "\"transformer.wte.weight\": \"a\", \"a\": \"transformer.wte.weight\"; transformer.a"
      })
  void anAliasToNothingOrInACircleIsRefused(String metadata, String alias) throws IOException {
    Model model = FamilyFolders.of("gpt2");
    Path shared = FamilyFolders.write(folder.resolve("shared"), model, Format.F32);
    edit(shared, "transformer.wte.weight", "lm_head.weight", metadata);
    assertThatThrownBy(() -> imported(shared))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "transformer.wte.weight of [61, 48] is missing, as is its alias " + alias);
  }
}
