package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.training.config.Bos;

class ModelOriginTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void otherVersionIsRejectedWithBothNumbers(int version) {
    assertThatThrownBy(() -> ModelOrigin.parse("file", "{\"format_version\": " + version + "}"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("expected format version 3, found version " + version);
  }

  private static ImportedModel imported(@Nullable Integer bos) {
    return new ImportedModel(
        3,
        "imported",
        0,
        new ModelConfig(2, 12, 3, 13, new RegularGpt(4)),
        32,
        new TokenizerIdentity("bytes", "0".repeat(64), 13, 12),
        new ImportedModel.Source("llama", Map.of()),
        null,
        bos,
        new BuildInfo("0.1.0", "5e92a4e", false));
  }

  @Test
  void bosIsStoredAndItsAbsenceMeansNone() throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    String with = mapper.writeValueAsString(imported(1));
    String without = mapper.writeValueAsString(imported(null));
    assertThat(with).contains("\"bos_token_id\":1");
    assertThat(without).doesNotContain("bos");
    ModelOrigin origin = ModelOrigin.parse("file", with);
    assertThat(origin).isEqualTo(imported(1));
    assertThat(ModelOrigin.parse("file", without).bos()).isEmpty();
    assertThat(Bos.AUTO.before(new int[] {5, 6}, origin.bos())).containsExactly(1, 5, 6);
    assertThat(Bos.NONE.before(new int[] {5, 6}, origin.bos())).containsExactly(5, 6);
    assertThatThrownBy(() -> imported(13)).hasMessageContaining("an id from 0 to 12");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"format_version\": 3}", "\u00ff"})
  void damagedDescriptionIsBadData(String text) throws IOException {
    Files.write(folder.resolve("config.json"), text.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> CheckpointFolder.origin(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("config.json");
  }

  @Test
  void missingDescriptionIsBadData() {
    assertThatThrownBy(() -> CheckpointFolder.origin(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("no such file");
  }
}
