package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

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
      Checks.atLeast("steps", steps, 1);
      Checks.above("learning_rate", learningRate, 0);
      if (lengths.contains(0)) {
        throw new IllegalArgumentException("a length of no tokens");
      }
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
  sealed interface Position {
    @JsonTypeName("alibi")
    record Alibi() implements Position {}

    @JsonTypeName("regulargpt")
    record RegularGpt(int chunk, int thickness) implements Position {}
  }

  record Whole(long seed, Training training, Position position, String note) {
    Whole {
      Checks.require(training.steps() <= 5000, "training.steps", "at most 5000", training.steps());
      Checks.require(seed != 13, "seed.of", "another number", seed);
    }
  }

  @BeforeEach
  void keepFolder(@TempDir Path scratch) {
    folder = scratch;
  }

  @Test
  void aValidFileBindsToARecord() throws IOException {
    assertThat(load(RIGHT).bind(Whole.class))
        .isEqualTo(
            new Whole(
                7,
                new Training(1200, 6e-4, Compute.BFLOAT16, List.of(128, 256)),
                new Position.Alibi(),
                "no"));
  }

  @Test
  void aWholeNumberIsAcceptedAsANumberAndAnUnquotedNoIsText() throws IOException {
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
  void textForANumberIsRejected() {
    assertFails(
        RIGHT.replace("1200", "\"1200\""),
        "experiment.yaml:5: expected a whole number for `training.steps`, found the text \"1200\"");
  }

  @Test
  void aFractionForAWholeNumberIsRejected() {
    assertFails(
        RIGHT.replace("1200", "1.5"),
        "experiment.yaml:5: expected a whole number for `training.steps`, found the number 1.5");
  }

  @Test
  void aNumberOutsideItsTypeIsRejected() {
    assertFails(RIGHT.replace("1200", "3000000000"), "experiment.yaml:5: ", "3000000000");
  }

  @Test
  void aNumberForTextIsRejected() {
    assertFails(
        RIGHT.replace("\"no\"", "12"),
        "experiment.yaml:11: expected text for `note`, found the number 12");
  }

  @Test
  void aValueForAListIsRejected() {
    assertFails(
        RIGHT.replace("[128, 256]", "128"),
        "experiment.yaml:8: expected a list for `training.lengths`, found the number 128");
  }

  @Test
  void aWrongElementIsRejectedAtItsOwnLine() {
    assertFails(
        RIGHT.replace("[128, 256]", "\n    - 128\n    - long"),
        "experiment.yaml:10: expected a whole number for `training.lengths[1]`, found the text"
            + " \"long\"");
  }

  @Test
  void aValueForASectionIsRejected() {
    assertFails(
        "seed: 7\ntraining: fast\nposition: {scheme: alibi}\nnote: x\n",
        "experiment.yaml:2: expected keys and values for `training`, found the text \"fast\"");
  }

  @Test
  void anUnknownConstantIsRejectedWithAllNames() {
    assertFails(
        RIGHT.replace("bfloat16", "bfloat8"),
        "experiment.yaml:7: expected one of float32, bfloat16, mixed-float for `training.compute`,"
            + " found the text \"bfloat8\" (did you mean `bfloat16`?)");
  }

  @Test
  void anUnknownChoiceIsRejectedWithAllNames() {
    assertFails(
        RIGHT.replace("alibi", "alibbi"),
        "experiment.yaml:10: expected one of alibi, regulargpt, found `alibbi` (did you mean"
            + " `alibi`?)");
  }

  @Test
  void aMissingChoiceIsRejectedWithAllNames() {
    assertFails(
        RIGHT.replace("scheme: alibi", "chunk: 16"),
        "experiment.yaml:9: expected a key that chooses one of alibi, regulargpt");
  }

  /** A package below may not know its choices, so the component that uses the type lists them. */
  interface Shape {}

  @JsonTypeName("circle")
  record Circle(int radius) implements Shape {}

  @JsonTypeName("framed")
  record Framed(Position position) implements Shape {}

  record Drawing(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
          @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Framed.class)})
          List<Shape> shapes) {}

  @Test
  void aComponentListsTheChoicesOfItsValues() throws IOException {
    assertThat(
            load("shapes: [{kind: circle, radius: 3}, {kind: framed, position: {scheme: alibi}}]")
                .bind(Drawing.class)
                .shapes())
        .containsExactly(new Circle(3), new Framed(new Position.Alibi()));
    assertDrawingFails("{kind: cirle}", "expected one of circle, framed, found `cirle` (did you");
    assertDrawingFails("{radius: 3}", "expected a key that chooses one of circle, framed");
    assertDrawingFails(
        "{kind: framed, position: {scheme: frame}}",
        "expected one of alibi, regulargpt, found `frame`;");
  }

  private void assertDrawingFails(String shape, String message) {
    assertThatThrownBy(() -> load("shapes: [" + shape + "]").bind(Drawing.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("experiment.yaml:1: " + message);
  }

  @Test
  void aKeyOfAnotherChoiceIsUnknown() {
    assertFails(
        RIGHT.replace("scheme: alibi", "scheme: alibi\n  chunk: 16"), "experiment.yaml:11: ");
  }

  @Test
  void aNullIsRejected() {
    assertFails(
        RIGHT.replace("steps: 1200", "steps:"),
        "experiment.yaml:5: expected a value for `training.steps`, found nothing");
  }

  @Test
  void aRepeatedKeyIsRejectedWithBothLines() {
    assertFails(
        RIGHT + "seed: 8\n",
        "experiment.yaml:12: expected every key once, found `seed` again, after ",
        "experiment.yaml:1;");
  }

  @Test
  void aValueThatTheRecordRejectsIsNamedWithItsKeyAndLine() {
    assertFails(
        RIGHT.replace("1200", "-3"),
        "experiment.yaml:5: expected at least 1 for `training.steps`, found -3; correct the value");
    assertFails(
        RIGHT.replace("6e-4", "0"),
        "experiment.yaml:6: expected a number above 0 for `training.learning_rate`, found 0.0");
    assertFails(
        RIGHT.replace("1200", "9000"),
        "experiment.yaml:5: expected at most 5000 for `training.steps`, found 9000");
  }

  @Test
  void aRejectionWithoutAKeyOfTheFileIsReportedAtTheLineOfItsRecord() {
    assertFails(
        RIGHT.replace("[128, 256]", "[0]"),
        "experiment.yaml:2: expected values that `training` accepts, found a length of no tokens");
    assertFails(
        RIGHT.replace("seed: 7", "seed: 13"),
        "experiment.yaml:1: expected values that the configuration accepts, found seed.of: expected"
            + " another number, found 13");
  }

  @Test
  void anEmptyFileAMissingFileAndAFileThatIsNotYamlAreRejected() {
    assertFails("", "experiment.yaml: expected keys and values, found an empty file");
    assertFails("- 1\n- 2\n", "experiment.yaml:1: expected keys and values");
    assertFails("a: 1\nb: [1,\nc: 2\n", "experiment.yaml:", "a syntax error");
    assertFails("a: 1\nb: &b [*b]\n", "experiment.yaml:2: expected", "inside its own anchor");
    assertFails("&a {b: {c: *a}}\n", "experiment.yaml:1: expected", "inside its own anchor");
    assertThatThrownBy(() -> ConfigLoader.load(folder.resolve("absent.yaml"), List.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a configuration file, found no file");
  }

  @Test
  void laterFilesOverrideKeyByKeyAndMessagesNameTheFile() throws IOException {
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
  void aMissingFileIsNamedAtTheLineThatExtendsIt() {
    assertFails(
        "seed: 1\nextends: [absent.yaml]\n",
        "experiment.yaml:2: expected a configuration file, found no file ");
    assertFails("extends: base.yaml\n", "experiment.yaml:1: expected a list of paths");
  }

  @Test
  void filesThatExtendEachOtherInACircleAreRejected() throws IOException {
    write("other.yaml", "extends: [experiment.yaml]\n");
    assertFails(
        "extends: [other.yaml]\n", "other.yaml:1: expected files that do not extend each other");
  }

  @Test
  void settingsOverrideFilesAndAreNamedInMessages() throws IOException {
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
  void aSettingChangesAnEntryOfAListByItsIndex() throws IOException {
    LayeredConfig config =
        load("list: [{a: 1, b: 2}, {a: 3}]\n").with(List.of("list.1.a=4", "list.0.b=[5]"));
    assertThat(config.tree()).hasToString("{\"list\":[{\"a\":1,\"b\":[5]},{\"a\":4}]}");
    assertThat(config.with(List.of("list.2.a=6")).tree())
        .hasToString("{\"list\":{\"2\":{\"a\":6}}}");
  }

  @Test
  void unknownSectionsAreRejected() throws IOException {
    LayeredConfig config = load(RIGHT).with(List.of("positoin.scheme=t5"));
    assertThatThrownBy(() -> config.requireOnly(List.of("seed", "training", "position", "note")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("`positoin` (did you mean `position`?)");
    assertThatThrownBy(() -> config.bind("trainin", Training.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected the section `trainin`, found none (did you mean");
  }

  @Test
  void anotherFileReplacesASectionThatWasRemoved() throws IOException {
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
  void artifactsKeepEveryDigitAndNameConstantsAsConfigurationDoes() throws IOException {
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
