package org.lengthwise.training.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;

class TrainingConfigTest {
  private static final Path FILE = Path.of("../conf/train/regulargpt-32-6.yaml");

  private static TrainingConfig load(String... settings) {
    return ConfigLoader.load(FILE, List.of(settings)).bind(TrainingConfig.class);
  }

  @Test
  void retiredThicknessIsAcceptedIfItEqualsTheNumberOfBlocks() {
    assertThat(load("position.thickness=6")).isEqualTo(load());
  }

  @Test
  void retiredThicknessThatDiffersFromTheNumberOfBlocksIsRejected() {
    assertThatThrownBy(() -> load("position.thickness=2"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--set position.thickness=2")
        .hasMessageContaining("`position.thickness` equal to `model.layers`")
        .hasMessageContaining("6, found 2; remove `position.thickness`");
  }

  @Test
  void thicknessOfAnotherSchemeIsAnUnknownKey() {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                        Path.of("../conf/train/alibi.yaml"), List.of("position.thickness=12"))
                    .bind(TrainingConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("`position.thickness`");
  }

  @Test
  void onlySmallExperimentsRaiseThePositionalRate() {
    assertThat(load().optimizer().positionalRate()).isEqualTo(1);
    for (String name : List.of("quickstart", "schemes", "signature", "table3-small")) {
      Path file = Path.of("../conf/experiments/" + name + ".yaml");
      assertThat(
              ConfigLoader.load(file, List.of())
                  .bind("optimizer", OptimizerConfig.class)
                  .positionalRate())
          .as(name)
          .isEqualTo(8);
    }
  }

  @Test
  void storedConfigurationWithoutAPositionalRateHadOne() throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode stored = mapper.valueToTree(load());
    assertThat(stored.withObject("optimizer").remove("positional_rate").asDouble()).isEqualTo(1);
    assertThat(mapper.treeToValue(stored, TrainingConfig.class)).isEqualTo(load());
  }

  @Test
  void fileThatExtendsTheBaseNeedsOnlyItsNameModelAndPosition(@TempDir Path folder)
      throws IOException {
    String file =
        """
        extends: [%s]
        name: my-run
        model: {layers: 2, width: 8, heads: 2}
        position: {scheme: alibi}
        """
            .formatted(Path.of("../conf/base.yaml").toAbsolutePath().normalize());
    LayeredConfig config =
        ConfigLoader.load(Files.writeString(folder.resolve("mine.yaml"), file), List.of());
    assertThat(config.bind(TrainingConfig.class).model().layers()).isEqualTo(2);
  }
}
