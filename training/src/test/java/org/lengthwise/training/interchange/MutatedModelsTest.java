package org.lengthwise.training.interchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.Mutants;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.ModelOrigin;

/** Damaged folders of models are opened or refused with a named error, and nothing else happens. */
class MutatedModelsTest {
  private static final int COUNT = 10;
  private static final long SEED = Long.getLong("lengthwise.test.seed", 59);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "gpt2", "llama-yarn", "llama3-rope", "llama-longrope", "llama-1b-rope-parameters", "mistral",
    "qwen2", "qwen3", "neox-linear", "opt-post", "bloom", "mpt-8"
  })
  void aDamagedDescriptionIsReadOrNamed(String family) throws IOException {
    openAll(family, "config.json", COUNT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"model.safetensors.index.json", "model-1.safetensors"})
  void aDamagedIndexOrFileIsReadOrNamed(String file) throws IOException {
    openAll("gpt2", file, 4 * COUNT);
  }

  /** Damages the JSON of the header, whose length stays right. */
  @ParameterizedTest
  @ValueSource(strings = {"gpt2", "llama"})
  void aDamagedHeaderIsReadOrNamed(String family) throws IOException {
    Path source = written(family);
    HeaderOf file = HeaderOf.read(source.resolve("model-1.safetensors"));
    for (long seed = SEED; seed < SEED + 2 * COUNT; seed++) {
      file.replaceBy(Mutants.of(file.json(), seed));
      open(source, family + ", seed " + seed);
    }
  }

  /** Damages the JSON texts in the metadata that an export writes. */
  @ParameterizedTest
  @CsvSource({
    "safetensors, lengthwise.config",
    "safetensors, lengthwise.state",
    "gpt2, lengthwise.tokenizer"
  })
  void damagedMetadataOfAnExportIsReadOrNamed(String format, String key) throws IOException {
    Path exported = folder.resolve("exported");
    CheckpointImport request = new CheckpointImport(null, null);
    Path imported = folder.resolve("imported");
    CheckpointExport.write(request.write(List.of(written("gpt2")), imported), format, exported);
    HeaderOf file = HeaderOf.read(exported.resolve("model.safetensors"));
    ObjectNode header = (ObjectNode) MAPPER.readTree(file.json());
    ObjectNode metadata = (ObjectNode) header.path("__metadata__");
    byte[] sound = metadata.path(key).asText().getBytes(UTF_8);
    for (long seed = SEED; seed < SEED + COUNT; seed++) {
      metadata.put(key, new String(Mutants.of(sound, seed), UTF_8));
      file.replaceBy(MAPPER.writeValueAsBytes(header));
      Path output = folder.resolve("output" + seed);
      use(() -> request.write(List.of(exported), output).origin(), key + ", seed " + seed);
    }
  }

  /** A safetensors file with another header, whose length is right. */
  private record HeaderOf(Path path, byte[] json, byte[] data) {
    static HeaderOf read(Path path) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
      byte[] json = new byte[(int) bytes.getLong()];
      bytes.get(json);
      byte[] data = new byte[bytes.remaining()];
      bytes.get(data);
      return new HeaderOf(path, json, data);
    }

    void replaceBy(byte[] header) throws IOException {
      Files.write(
          path,
          ByteBuffer.allocate(Long.BYTES + header.length + data.length)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(header.length)
              .put(header)
              .put(data)
              .array());
    }
  }

  private Path written(String family) throws IOException {
    Path source = FamilyFolders.writeShards(folder.resolve("source"), FamilyFolders.of(family));
    Files.delete(source.resolve("tokenizer.json"));
    return source;
  }

  private void openAll(String family, String file, int count) throws IOException {
    Path source = written(family);
    byte[] sound = Files.readAllBytes(source.resolve(file));
    for (long seed = SEED; seed < SEED + count; seed++) {
      Files.write(source.resolve(file), Mutants.of(sound, seed));
      open(source, family + ", seed " + seed);
    }
  }

  private static void open(Path source, String name) {
    use(() -> new CheckpointImport(null, null).open(source).origin(), name);
  }

  private static void use(Callable<ModelOrigin> model, String name) {
    try {
      assertThat(model.call()).isNotNull();
    } catch (ConfigException | DataFormatException e) {
      assertThat(e.getMessage()).as(name).contains(": expected ").hasSizeLessThan(5000);
    } catch (Exception | Error e) {
      fail(name, e);
    }
  }
}
