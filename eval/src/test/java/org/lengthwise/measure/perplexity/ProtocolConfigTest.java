package org.lengthwise.measure.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.result.Protocol;

class ProtocolConfigTest {
  private static final Path CONF = Path.of("../conf");

  @ParameterizedTest
  @EnumSource
  void everyProtocolHasAFileOfItsName(Protocol protocol) throws Exception {
    Path file = CONF.resolve("protocol/" + protocol.label() + ".yaml");
    ProtocolConfig config = ConfigLoader.load(file, List.of()).bind(ProtocolConfig.class);
    assertThat(config.protocol()).isEqualTo(protocol);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    String json = mapper.writeValueAsString(config);
    assertThat(json).startsWith("{\"name\":\"" + protocol.label() + "\",");
    assertThat(mapper.readValue(json, ProtocolConfig.class)).isEqualTo(config);
    assertThat(config.withSamples(3).samples()).isEqualTo(3);
    assertThat(config.withSamples(config.samples())).isEqualTo(config);
  }

  @ParameterizedTest
  @EnumSource
  void everyProtocolHasARowInItsPage(Protocol protocol) throws Exception {
    assertThat(Files.readString(Path.of("../docs/reference/protocols.md")))
        .containsPattern("(?m)^\\| `" + protocol.label() + "` (\\([a-z]+\\) )?\\|([^|\n]+\\|){5}$");
  }

  @Test
  void everyProtocolHasAConfiguration() {
    assertThat(ProtocolConfig.class.getPermittedSubclasses()).hasSameSizeAs(Protocol.values());
  }

  private static EvaluationConfig bind(Path folder, String protocols) throws Exception {
    return bind(folder, protocols, "memory_limit_megabytes: 64", "cpu");
  }

  private static EvaluationConfig bind(Path folder, String protocols, String limit, String device)
      throws Exception {
    Path file = folder.resolve("evaluate.yaml");
    Files.writeString(
        file,
        """
        protocols: [%s]
        seed: 1
        within_document: true
        position_scaling: [none]
        %s
        precision: float32
        device: %s
        """
            .formatted(protocols, limit, device));
    return ConfigLoader.load(file, List.of()).bind(EvaluationConfig.class);
  }

  @Test
  void aConfigurationListsSeveralProtocols(@TempDir Path folder) throws Exception {
    EvaluationConfig config =
        bind(folder, "{name: aligned, samples: 5}, {name: sliding-window, samples: 2, stride: 8}");
    assertThat(config.protocols())
        .containsExactly(new ProtocolConfig.Aligned(5), new ProtocolConfig.Sliding(2, 8));
    assertThat(config.withinDocument()).isTrue();
    assertThat(config.withSamples(3).protocols())
        .isEqualTo(Arrays.asList(new ProtocolConfig.Aligned(3), new ProtocolConfig.Sliding(3, 8)));
  }

  @Test
  void anAbsentMemoryLimitDependsOnTheDevice(@TempDir Path folder) throws Exception {
    String aligned = "{name: aligned, samples: 5}";
    for (String limit : List.of("", "memory_limit_megabytes: 0")) {
      assertThat(bind(folder, aligned, limit, "cpu").settings().memoryLimitMegabytes())
          .isEqualTo(1024);
      assertThat(bind(folder, aligned, limit, "gpu:0").settings().memoryLimitMegabytes()).isZero();
    }
    assertThat(
            bind(folder, aligned, "memory_limit_megabytes: 64", "gpu:0")
                .settings()
                .memoryLimitMegabytes())
        .isEqualTo(64);
  }

  @Test
  void errorsNameTheLine(@TempDir Path folder) {
    assertThatThrownBy(() -> bind(folder, "{name: alligned, samples: 5}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("evaluate.yaml:1")
        .hasMessageContaining("did you mean `aligned`");
    assertThatThrownBy(() -> bind(folder, "{name: sliding-window, samples: 5}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("stride");
    assertThatThrownBy(() -> bind(folder, "{name: aligned, samples: 5, stride: 3}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("stride");
    assertThatThrownBy(() -> bind(folder, "{name: aligned, samples: 0}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected at least 1 for `protocols[0].samples`, found 0");
    assertThatThrownBy(
            () -> bind(folder, "{name: aligned, samples: 5}, {name: aligned, samples: 6}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("each once");
    assertThatThrownBy(() -> bind(folder, "")).isInstanceOf(ConfigException.class);
  }

  @Test
  void aWindowNoLongerThanTheStrideIsRejected(@TempDir Path folder) throws Exception {
    EvaluationConfig config = bind(folder, "{name: sliding-window, samples: 2, stride: 8}");
    assertThat(new Evaluation(config, List.of(9, 32)).lengths().values()).containsExactly(9, 32);
    assertThatThrownBy(() -> new Evaluation(config, List.of(8, 32)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("at least 9 tokens, for the protocol sliding-window");
  }
}
