package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.DataFormatException;

class ModelOriginTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void otherVersionIsRejectedWithBothNumbers(int version) {
    assertThatThrownBy(() -> ModelOrigin.parse("file", "{\"format_version\": " + version + "}"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("expected format version 2 or 3, found version " + version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"format_version\": 3}", "\u00ff"})
  void damagedDescriptionIsBadData(String text) throws IOException {
    Files.write(folder.resolve("config.json"), text.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> Checkpoint.origin(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("config.json");
  }

  @Test
  void missingDescriptionIsBadData() {
    assertThatThrownBy(() -> Checkpoint.origin(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("no such file");
  }
}
