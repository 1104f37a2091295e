package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class AbsentMeansTest {
  private final ObjectMapper stored = ConfigLoader.strictMapper();

  enum Scale {
    ONE,
    SQRT_HEAD_WIDTH
  }

  record Table(@AbsentMeans("\"one\"") Scale scale) {}

  record Optimizer(double rate, @AbsentMeans("1.0") double positionalRate) {
    Optimizer {
      Checks.above("positional_rate", positionalRate, 0);
    }
  }

  @Test
  void storedArtifactWithoutTheKeyHasTheStatedValue() throws JsonProcessingException {
    assertThat(stored.readValue("{\"rate\": 0.5}", Optimizer.class))
        .isEqualTo(new Optimizer(0.5, 1));
    assertThat(stored.readValue("{}", Table.class)).isEqualTo(new Table(Scale.ONE));
    assertThat(stored.writeValueAsString(new Table(Scale.SQRT_HEAD_WIDTH)))
        .isEqualTo("{\"scale\":\"sqrt-head-width\"}");
  }

  @Test
  void statedValueIsRead() throws JsonProcessingException {
    assertThat(stored.readValue("{\"rate\": 0.5, \"positional_rate\": 8}", Optimizer.class))
        .isEqualTo(new Optimizer(0.5, 8));
    assertThat(stored.readValue("{\"scale\": \"sqrt-head-width\"}", Table.class))
        .isEqualTo(new Table(Scale.SQRT_HEAD_WIDTH));
    assertThatThrownBy(() -> stored.readValue("{\"positional_rate\": 8}", Optimizer.class))
        .as("a key without the annotation")
        .isInstanceOf(MismatchedInputException.class);
  }

  @Test
  void missingKeyOfAUsersFileIsAnErrorWithoutTheAnnotation(@TempDir Path folder)
      throws IOException {
    assertThatThrownBy(() -> load(folder, "positional_rate: 0.5\n").bind(Optimizer.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the key `rate` (a number), found no such key");
    assertThat(load(folder, "rate: 0.5\n").bind(Optimizer.class)).isEqualTo(new Optimizer(0.5, 1));
    assertThat(load(folder, "{}\n").bind(Table.class)).isEqualTo(new Table(Scale.ONE));
    assertThat(load(folder, "scale: sqrt-head-width\n").bind(Table.class))
        .isEqualTo(new Table(Scale.SQRT_HEAD_WIDTH));
    assertThatThrownBy(() -> load(folder, "scale: two\n").bind(Table.class))
        .hasMessageContaining("one of one, sqrt-head-width for `scale`");
  }

  private static LayeredConfig load(Path folder, String yaml) throws IOException {
    return ConfigLoader.load(Files.writeString(folder.resolve("run.yaml"), yaml), List.of());
  }
}
