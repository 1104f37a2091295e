package org.lengthwise.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.TaskConfig;

/** Strings that another program wrote. */
class FileTaskTest {
  private static final String SHORT =
      "{\"ids\":[3,1,3],\"targets\":[-1,-1,1],\"distance\":[-1,-1,1]}";
  private static final String LONG =
      "{\"ids\":[3,2,0,0,3],\"targets\":[-1,-1,-1,-1,2],\"distance\":[-1,-1,-1,-1,3]}";

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.write(folder.resolve("train.jsonl"), List.of(SHORT, LONG, SHORT));
    Files.write(folder.resolve("validation.jsonl"), List.of(SHORT, LONG));
    Files.write(folder.resolve("test.jsonl"), List.of(LONG, LONG));
  }

  private RecallTask task() {
    return new FileTask(folder.toString(), null);
  }

  @Test
  void stringsComeByLengthFromTheirFiles() {
    RecallTask task = task();
    assertThat(task.trainingLengths()).containsExactly(3, 5);
    RecallTask.Strings strings = task.open(new RandomStreams(1));
    assertThat(strings.vocabulary()).isEqualTo(4);
    assertThat(strings.chance()).isEqualTo(0.5);
    assertThat(strings.count(Stream.TEST, 5, 10)).isEqualTo(2);
    assertThat(strings.count(Stream.TEST, 3, 10)).isZero();
    assertThat(strings.at(Stream.TEST, 5, 1).targets()).containsExactly(-1, -1, -1, -1, 2);
    assertThat(strings.at(Stream.TRAIN, 3, 999).ids()).containsExactly(3, 1, 3);
  }

  @Test
  void configurationKeepsTheLengths() throws IOException {
    String json = ConfigLoader.strictMapper().writeValueAsString(task());
    Files.delete(folder.resolve("train.jsonl"));
    TaskConfig read = ConfigLoader.strictMapper().readValue(json, TaskConfig.class);
    assertThat(read.longest()).isEqualTo(5);
    assertThat(read.name()).isEqualTo(folder.getFileName().toString());
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "{\"ids\":[3,1],\"targets\":[-1],\"distance\":[-1,-1]}| targets: expected 2 numbers, found 1",
        "{\"ids\":[3,1],\"targets\":[-1,3],\"distance\":[-1,2]}| distance[1]: expected 0 to 1, because there is a target, found 2",
        "{\"ids\":[3,1],\"targets\":[-1,3],\"distance\":[-1,-1]}| expected 0 to 1, because there is a target, found -1",
        "{\"ids\":[3,1],\"targets\":[-1,3],\"distance\":[0,1]}| distance[0]: expected -1",
        "{\"ids\":[3,-1],\"targets\":[-1,3],\"distance\":[-1,1]}| ids[1]: expected 0 to 999999, found -1",
        "{\"ids\":[3,x],\"targets\":[-1,3],\"distance\":[-1,1]}| expected one string as JSON",
        "{\"ids\":[3,1.5],\"targets\":[-1,3],\"distance\":[-1,1]}| ids[1]: expected a whole number, found 1.5",
        "{\"ids\":[3,1e9],\"targets\":[-1,3],\"distance\":[-1,1]}| ids[1]: expected",
        "{\"ids\":[3,1],\"targets\":[-1,1000000],\"distance\":[-1,1]}| targets[1]: expected 0 to 999999",
        "{\"ids\":3,\"targets\":[3],\"distance\":[1]}| ids: expected a list, found 3",
        "{\"ids\":[3],\"targets\":[3],\"distance\":[0],\"note\":1}| note: expected the keys ids, targets and distance only",
        "''| ids: expected a list, found no such key",
        "{\"ids\":[3,1],\"targets\":[-1,-1],\"distance\":[-1,-1]}| targets: expected one at least",
        "{\"ids\":[3,1]}| targets: expected a list, found no such key",
        "no json| expected one string as JSON",
        "{} {}| or more than one value"
      },
      delimiter = '|')
  void damagedLineIsNamedWithItsPlace(String line, String message) throws IOException {
    Path file = folder.resolve("train.jsonl");
    Files.write(file, List.of(SHORT, line));
    assertThatThrownBy(this::task)
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(file + ":2")
        .hasMessageContaining(message);
  }

  /** As train reads it: the section of a configuration. */
  @Test
  void damagedTrainingStringsAreNoMistakeOfTheConfiguration() throws IOException {
    Files.write(folder.resolve("train.jsonl"), List.of("{}"));
    Path yaml = Files.writeString(folder.resolve("task.yaml"), "strings: " + folder + "\n");

    assertThatThrownBy(() -> ConfigLoader.load(yaml, List.of()).bind(TaskConfig.class))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("train.jsonl:1, ids: expected a list");

    Files.delete(folder.resolve("train.jsonl"));
    assertThatThrownBy(() -> ConfigLoader.load(yaml, List.of()).bind(TaskConfig.class))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no file " + folder.resolve("train.jsonl"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"train", "validation", "test"})
  void eachFileHasStrings(String name) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".jsonl"), "");

    assertThatThrownBy(() -> task().open(new RandomStreams(1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(file + ": expected a string in each line, found an empty file");
  }

  @Test
  void validationHasStringsOfTheLongestLength() throws IOException {
    Files.write(folder.resolve("validation.jsonl"), List.of(SHORT));

    assertThatThrownBy(() -> task().open(new RandomStreams(1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("validation.jsonl: expected strings of length 5")
        .hasMessageContaining("found lengths [3]");
  }

  @Test
  void filesHaveNoSettings() {
    assertThat(task().with(JsonNodeFactory.instance.objectNode()).name()).isEqualTo(task().name());
    assertThatThrownBy(() -> task().with(JsonNodeFactory.instance.objectNode().put("a", 1)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("a: expected no settings");
  }

  @Test
  void missingFileIsNamed() throws IOException {
    Files.delete(folder.resolve("test.jsonl"));
    RecallTask task = task();
    assertThatThrownBy(() -> task.open(new RandomStreams(1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no file " + folder.resolve("test.jsonl"));
  }
}
