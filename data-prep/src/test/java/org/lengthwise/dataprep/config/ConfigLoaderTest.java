package org.lengthwise.dataprep.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.ConfigException;

class ConfigLoaderTest {
  private static final String RIGHT =
      """
      seed: 7
      training:
        # comments and blank lines count as lines

        steps: 1200
        learning_rate: 6e-4
        compute: bfloat16
        lengths: [128, 256]
      position:
        scheme: alibi
      note: "no"
      """;

  private Path folder = Path.of("");

  enum Compute {
    FLOAT32,
    BFLOAT16,
    MIXED_FLOAT
  }

  record Training(int steps, double learningRate, Compute compute, List<Integer> lengths) {
    Training {
      if (steps < 1) {
        throw new IllegalArgumentException("steps must be positive, found " + steps);
      }
      if (learningRate <= 0) {
        throw new IllegalArgumentException("learningRate must be positive, found " + learningRate);
      }
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Position.Alibi.class, name = "alibi"),
    @JsonSubTypes.Type(value = Position.RegularGpt.class, name = "regulargpt")
  })
  sealed interface Position {
    record Alibi() implements Position {}

    record RegularGpt(int chunk, int thickness) implements Position {}
  }

  record Whole(long seed, Training training, Position position, String note) {}

  @BeforeEach
  void keepFolder(@TempDir Path scratch) {
    folder = scratch;
  }

  @Test
  void aRightFileBindsWithEveryValueOfItsOwnKind() throws IOException {
    assertThat(load(RIGHT).bind(Whole.class))
        .isEqualTo(
            new Whole(
                7,
                new Training(1200, 6e-4, Compute.BFLOAT16, List.of(128, 256)),
                new Position.Alibi(),
                "no"));
  }

  @Test
  void aWholeNumberServesAsANumberAndAnUnquotedNoIsText() throws IOException {
    Whole whole =
        load(RIGHT.replace("6e-4", "1").replace("\"no\"", "no").replace("1200", "010"))
            .bind(Whole.class);
    assertThat(whole.training().learningRate()).isEqualTo(1.0);
    assertThat(whole.training().steps()).isEqualTo(10);
    assertThat(whole.note()).isEqualTo("no");
  }

  @Test
  void anUnknownKeyIsNamedWithItsLineAndTheNearestRightName() {
    assertFails(
        RIGHT.replace("learning_rate", "lerning_rate"),
        "experiment.yaml:6: expected one of the keys compute, learning_rate, lengths, steps, found"
            + " `training.lerning_rate` (did you mean `learning_rate`?); correct or remove it");
  }

  @Test
  void aMissingKeyIsNamedWithTheLineOfItsSection() {
    assertFails(
        RIGHT.replace("  steps: 1200\n", ""),
        "experiment.yaml:2: expected the key `training.steps` (a whole number), found no such key");
  }

  @Test
  void textForANumberIsRefused() {
    assertFails(
        RIGHT.replace("1200", "\"1200\""),
        "experiment.yaml:5: expected a whole number for `training.steps`, found the text \"1200\"");
  }

  @Test
  void aFractionForAWholeNumberIsRefused() {
    assertFails(
        RIGHT.replace("1200", "1.5"),
        "experiment.yaml:5: expected a whole number for `training.steps`, found the number 1.5");
  }

  @Test
  void aNumberBeyondItsTypeIsRefused() {
    assertFails(RIGHT.replace("1200", "3000000000"), "experiment.yaml:5: ", "3000000000");
  }

  @Test
  void aNumberForTextIsRefused() {
    assertFails(
        RIGHT.replace("\"no\"", "12"),
        "experiment.yaml:11: expected text for `note`, found the number 12");
  }

  @Test
  void aValueForAListIsRefused() {
    assertFails(
        RIGHT.replace("[128, 256]", "128"),
        "experiment.yaml:8: expected a list for `training.lengths`, found the number 128");
  }

  @Test
  void aWrongElementIsRefusedAtItsOwnLine() {
    assertFails(
        RIGHT.replace("[128, 256]", "\n    - 128\n    - long"),
        "experiment.yaml:10: expected a whole number for `training.lengths[1]`, found the text"
            + " \"long\"");
  }

  @Test
  void aValueForASectionIsRefused() {
    assertFails(
        "seed: 7\ntraining: fast\nposition: {scheme: alibi}\nnote: x\n",
        "experiment.yaml:2: expected keys and values for `training`, found the text \"fast\"");
  }

  @Test
  void anUnknownConstantIsAnsweredWithAllOfThem() {
    assertFails(
        RIGHT.replace("bfloat16", "bfloat8"),
        "experiment.yaml:7: expected one of float32, bfloat16, mixed-float for `training.compute`,"
            + " found the text \"bfloat8\" (did you mean `bfloat16`?)");
  }

  @Test
  void anUnknownChoiceIsAnsweredWithAllOfThem() {
    assertFails(
        RIGHT.replace("alibi", "alibbi"),
        "experiment.yaml:10: expected one of alibi, regulargpt, found `alibbi` (did you mean"
            + " `alibi`?)");
  }

  @Test
  void aChoiceWithoutItsNameIsAnsweredWithAllOfThem() {
    assertFails(
        RIGHT.replace("scheme: alibi", "chunk: 16"),
        "experiment.yaml:9: expected a key that says which: one of alibi, regulargpt");
  }

  @Test
  void aKeyOfAnotherChoiceIsUnknown() {
    assertFails(
        RIGHT.replace("scheme: alibi", "scheme: alibi\n  chunk: 16"), "experiment.yaml:11: ");
  }

  @Test
  void aNullIsRefused() {
    assertFails(
        RIGHT.replace("steps: 1200", "steps:"),
        "experiment.yaml:5: expected a value for `training.steps`, found nothing");
  }

  @Test
  void aKeyThatIsRepeatedIsRefusedWithBothLines() {
    assertFails(
        RIGHT + "seed: 8\n",
        "experiment.yaml:12: expected every key once, found `seed` again, after ",
        "experiment.yaml:1;");
  }

  @Test
  void aValueThatTheRecordRefusesIsNamedWithItsOwnLine() {
    assertFails(
        RIGHT.replace("1200", "-3"),
        "experiment.yaml:5: expected values that `training` accepts, found steps must be positive,"
            + " found -3");
    assertFails(RIGHT.replace("6e-4", "0"), "experiment.yaml:6: ", "learningRate must be positive");
  }

  @Test
  void anEmptyFileAMissingFileAndAFileThatIsNotYamlAreRefused() {
    assertFails("", "experiment.yaml: expected keys and values, found an empty file");
    assertFails("- 1\n- 2\n", "experiment.yaml:1: expected keys and values");
    assertFails("a: 1\nb: [1,\nc: 2\n", "experiment.yaml:", "a syntax error");
    assertThatThrownBy(() -> ConfigLoader.load(folder.resolve("absent.yaml"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a configuration file, found no file");
  }

  @Test
  void laterLayersWinKeyByKeyAndMessagesNameTheLayer() throws IOException {
    write("base.yaml", RIGHT);
    write("fast.yaml", "training:\n  learning_rate: 1e-3\n");
    LayeredConfig config = load("extends: [base.yaml, fast.yaml]\ntraining: {steps: 5}\n");
    assertThat(config.bind("training", Training.class))
        .isEqualTo(new Training(5, 1e-3, Compute.BFLOAT16, List.of(128, 256)));
    assertThat(config.tree().has("extends")).isFalse();

    write("fast.yaml", "\n\ntraining:\n  learning_rate: fast\n");
    assertFails("extends: [base.yaml, fast.yaml]\n", "fast.yaml:4: expected a number for");
  }

  @Test
  void aMissingLayerIsNamedWhereItIsAskedFor() {
    assertFails(
        "seed: 1\nextends: [absent.yaml]\n",
        "experiment.yaml:2: expected a configuration file, found no file ");
    assertFails("extends: base.yaml\n", "experiment.yaml:1: expected a list of paths");
  }

  @Test
  void aCircleOfLayersIsRefused() throws IOException {
    write("other.yaml", "extends: [experiment.yaml]\n");
    assertFails("extends: [other.yaml]\n", "other.yaml:1: expected files that extend one another");
  }

  @Test
  void settingsWinOverFilesAndAreNamedInMessages() throws IOException {
    LayeredConfig config = load(RIGHT).with(List.of("training.steps=3", "training.lengths=[1, 2]"));
    assertThat(config.bind(Whole.class).training())
        .isEqualTo(new Training(3, 6e-4, Compute.BFLOAT16, List.of(1, 2)));
    assertThatThrownBy(() -> config.with(List.of("training.step=3")).bind(Whole.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--set training.step=3: expected one of the keys")
        .hasMessageContaining("(did you mean `steps`?)");
    assertThatThrownBy(() -> config.with(List.of("training.steps")))
        .hasMessageContaining("expected key.path=value, found no equals sign");
    assertThatThrownBy(() -> config.with(List.of("training.steps=")).bind(Whole.class))
        .hasMessageContaining("expected a value for `training.steps`, found nothing");
  }

  @Test
  void sectionsThatNobodyReadsAreRefused() throws IOException {
    LayeredConfig config = load(RIGHT).with(List.of("positoin.scheme=t5"));
    assertThatThrownBy(() -> config.requireOnly(List.of("seed", "training", "position", "note")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("`positoin` (did you mean `position`?)");
    assertThatThrownBy(() -> config.bind("trainin", Training.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected the section `trainin`, found none (did you mean");
  }

  @Test
  void anotherFileLaysOverAConfigurationOnceTheOldSectionIsLeftOut() throws IOException {
    Path position =
        write("position.yaml", "position: {scheme: regulargpt, chunk: 16, thickness: 2}\n");
    assertThat(load(RIGHT).without("position").overlay(position).bind(Whole.class).position())
        .isEqualTo(new Position.RegularGpt(16, 2));
  }

  @Test
  void theResolvedTreeIsItselfAConfiguration() throws IOException {
    LayeredConfig config = load(RIGHT);
    Path stored =
        write("config.json", ConfigLoader.strictMapper().writeValueAsString(config.tree()));
    assertThat(ConfigLoader.load(stored, List.of()).bind(Whole.class))
        .isEqualTo(config.bind(Whole.class));
    config.tree().removeAll();
    assertThat(config.tree()).isNotEmpty();
  }

  @Test
  void artifactsKeepEveryDigitAndSpellNamesAsConfigurationDoes() throws IOException {
    String json =
        ConfigLoader.strictMapper()
            .writeValueAsString(new Training(1, 0.1 + 0.2, Compute.MIXED_FLOAT, List.of()));
    assertThat(json)
        .isEqualTo(
            "{\"steps\":1,\"learning_rate\":0.30000000000000004,\"compute\":\"mixed-float\",\"lengths\":[]}");
    assertThat(ConfigLoader.strictMapper().writeValueAsString(Map.of(Compute.MIXED_FLOAT, 1)))
        .isEqualTo("{\"mixed-float\":1}");
  }

  private LayeredConfig load(String content) throws IOException {
    return ConfigLoader.load(write("experiment.yaml", content), List.of());
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private void assertFails(String content, String... parts) {
    assertThatThrownBy(() -> load(content).bind(Whole.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(parts);
  }
}
