package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class FormerKeyTest {
  private final ObjectMapper stored = ConfigLoader.strictMapper();

  record Protocol(@FormerKey("chunks") int numSamples, int stride) {}

  record Protocols(List<Protocol> protocols) {}

  @Test
  void storedArtifactsAreReadUnderTheFormerKeyAndWrittenUnderThePresentOne()
      throws JsonProcessingException {
    Protocol protocol = new Protocol(5, 2);
    assertThat(stored.readValue("{\"chunks\": 5, \"stride\": 2}", Protocol.class))
        .isEqualTo(protocol);
    assertThat(stored.readValue("{\"num_samples\": 5, \"stride\": 2}", Protocol.class))
        .isEqualTo(protocol);
    assertThat(stored.writeValueAsString(protocol)).isEqualTo("{\"num_samples\":5,\"stride\":2}");
  }

  @Test
  void aUsersFileWithAFormerKeyIsAnsweredWithThePresentKey(@TempDir Path folder)
      throws IOException {
    assertThatThrownBy(
            () -> load(folder, "protocols:\n  - chunks: 5\n    stride: 2\n").bind(Protocols.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith(
            "run.yaml:2: expected the key `num_samples`, found `protocols[0].chunks`, its former"
                + " name; rename the key");
    assertThatThrownBy(
            () -> load(folder, "stride: 2\nnum_samples: 5\nchunks: 5\n").bind(Protocol.class))
        .hasMessageContaining("run.yaml:3: expected the key `num_samples`, found `chunks`");
  }

  record Model(int labels) {
    @JsonIgnore
    public boolean isClassifier() {
      return labels > 0;
    }
  }

  @Test
  void aMethodThatIsIgnoredIsNoKey(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> load(folder, "other: 1\n").bind(Model.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("labels")
        .hasMessageNotContaining("classifier");
  }

  private static LayeredConfig load(Path folder, String yaml) throws IOException {
    return ConfigLoader.load(Files.writeString(folder.resolve("run.yaml"), yaml), List.of());
  }
}
