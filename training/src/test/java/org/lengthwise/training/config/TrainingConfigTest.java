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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.ModelConfig;

class TrainingConfigTest {
  private static final Path FILE = Path.of("../conf/train/regulargpt-32-6.yaml");

  private static TrainingConfig load(String... settings) {
    return ConfigLoader.load(FILE, List.of(settings)).bind(TrainingConfig.class);
  }

  @Test
  void onlySmallExperimentsRaiseThePositionalRate() {
    assertThat(load().optimizer().positionalRate()).isEqualTo(1);
    for (String name : List.of("quickstart", "schemes", "table3-small")) {
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
  void storedConfigurationWithoutTheFormOfItsModelHadThatOfGpt2() throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode stored = mapper.valueToTree(load());
    assertThat(stored.has("task")).isFalse();
    stored
        .withObject("model")
        .remove(
            List.of(
                "norm",
                "activation",
                "attention_bias",
                "embedding_scale",
                "initial",
                "causal",
                "kind"));
    stored.remove("recurrence");
    assertThat(stored.withObject("position").remove("edge").asText()).isEqualTo("absent");
    assertThat(mapper.treeToValue(stored, TrainingConfig.class)).isEqualTo(load());

    ModelConfig model = load().modelConfig(100);
    ObjectNode shape = mapper.valueToTree(model);
    shape.remove(List.of("form", "labels", "kind", "recurrence"));
    assertThat(mapper.treeToValue(shape, ModelConfig.class)).isEqualTo(model);
  }

  @Test
  void longestLengthOfATaskReplacesTheTrainingLength() {
    TrainingConfig parity = parity("training.length=7");
    assertThat(parity.training().length()).isEqualTo(40);
    assertThat(parity.lengths().average()).hasValue(20.5);
    assertThat(parity.numTokens()).isEqualTo(1500L * 128 * 41 / 2);
    assertThat(parity.modelConfig(2).isClassifier()).isTrue();
    assertThat(load().modelConfig(2).isClassifier()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "task.name=parity_chekc | for `task.name` | did you mean `parity_check`",
        "task.lengths=[0, 40] | task.lengths | [0, 40]",
        "task.lengths=[40, 1] | task.lengths | such as [1, 40]",
        "task.lengths=[40] | task.lengths | [40]",
        "task.negatives=near | negatives | parity_check is not a language",
        "task.p=1.5 | p | 1.5",
        "model.causal=false | position.scheme | regulargpt"
      })
  void taskThatDoesNotExistIsRejected(String setting, String expected, String found) {
    assertThatThrownBy(() -> parity(setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining(found);
  }

  @Test
  void residualStreamInBfloat16NeedsProductsInBfloat16() {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                        Path.of("../conf/train/alibi.yaml"),
                        List.of("training.residual=bfloat16", "training.precision=float32"))
                    .bind(TrainingConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "expected float32, because precision is float32 for `training.residual`, found"
                + " bfloat16");
    assertThatThrownBy(
            () -> parityOf("rnn", "training.precision=bfloat16", "training.residual=bfloat16"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.residual")
        .hasMessageContaining("rnn, which has no residual stream");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "regulargpt-32-6 | seed=1",
        "rope | position.scaling={type: dynamic, factor: 2, limit: 2}"
      })
  void schemesThatComputeWithTheLengthOfAPassReadNoDocumentsApart(String file, String setting) {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                        Path.of("../conf/train/%s.yaml".formatted(file)),
                        List.of(setting, "training.documents=within"))
                    .bind(TrainingConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.documents")
        .hasMessageContaining("computes with the number of positions of a pass");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: staircase, chunk: 0, passes: 2} | recurrence.chunk | expected at least 1",
        "{kind: staircase, chunk: 4, passes: 0} | recurrence.passes | expected at least 1",
        "{kind: block-recurrent, chunk: 4, states: 4, layer: 12} | recurrence.layer | 12",
        "{kind: stairs, chunk: 4, passes: 2} | --set recurrence | did you mean `staircase`"
      })
  void recurrenceThatDoesNotExistIsRejected(String setting, String expected, String found) {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                        Path.of("../conf/train/alibi.yaml"), List.of("recurrence=" + setting))
                    .bind(TrainingConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining(found);
  }

  @Test
  void recurrenceNeedsASchemeOfOneLevel() {
    assertThatThrownBy(() -> load("recurrence={kind: staircase, chunk: 4, passes: 2}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected attention that depends on the distance alone")
        .hasMessageContaining("because of recurrence staircase-4-2")
        .hasMessageContaining("for `position`, found regulargpt");
  }

  @Test
  void stringsThatExceedLearnedPositionsAreRejected(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("learned.yaml");
    Files.writeString(
        file,
        """
        extends: [%s]
        name: learned
        task: {name: modular_arithmetic}
        model: {layers: 1}
        position: {scheme: learned, positions: 39}
        """
            .formatted(Path.of("../conf/regular/base.yaml").toAbsolutePath()));
    assertThat(
            ConfigLoader.load(file, List.of("task.lengths=[1, 38]"))
                .bind(TrainingConfig.class)
                .training()
                .length())
        .isEqualTo(38);
    assertThatThrownBy(
            () ->
                ConfigLoader.load(file, List.of("task.lengths=[1, 39]")).bind(TrainingConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("task.lengths")
        .hasMessageContaining("strings of at most 39 symbols")
        .hasMessageContaining("found strings of 40 symbols at length 39");
  }

  @Test
  void languageModelIsCausal() {
    assertThatThrownBy(() -> load("model.causal=false"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.causal")
        .hasMessageContaining("must not see the token that it predicts");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.layers=2 | model.layers | 2",
        "model.heads=2 | model.heads | 2",
        "model.activation=gelu | model.activation | gelu",
        "model.initial=gpt2 | model.initial | gpt2",
        "position.scheme=alibi | position.scheme | alibi",
        "model.causal=false | model.causal | false"
      })
  void partsThatARecurrentNetworkDoesNotHaveAreRejected(
      String setting, String expected, String found) {
    assertThatThrownBy(() -> parityOf("rnn", setting))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining("rnn")
        .hasMessageContaining("found " + found);
  }

  @Test
  void recurrentNetworkNeedsATask() {
    assertThatThrownBy(() -> load("model.kind=rnn"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.kind")
        .hasMessageContaining("needs the section task");
    assertThat(parityOf("rnn").modelConfig(2).numParameters()).isEqualTo(67_074);
  }

  private static TrainingConfig parityOf(String model, String... settings) {
    return ConfigLoader.load(
            Path.of("../conf/regular/parity-" + model + ".yaml"), List.of(settings))
        .bind(TrainingConfig.class);
  }

  private static TrainingConfig parity(String... settings) {
    return parityOf("regulargpt-2", settings);
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
