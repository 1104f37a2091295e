package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class BinderTest {
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
