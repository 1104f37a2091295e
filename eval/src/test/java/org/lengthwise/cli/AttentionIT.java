package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of the task rasp, and the attention that inspect shows. */
class AttentionIT {
  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  private String train(String name, String config, String... settings) {
    String run = folder.resolve(name).toString();
    List<String> words =
        new ArrayList<>(
            List.of(
                "train",
                "--config=" + CommandRunner.HOME.resolve("conf").resolve(config),
                "--output=" + run,
                "--set=training.validation={interval: 100, sequences: 64}"));
    List.of(settings).forEach(setting -> words.add("--set=" + setting));
    commands.run(words.toArray(String[]::new));
    return run;
  }

  /** The lines of a map, a line for each query. */
  private static List<String> rows(Path maps, String head) throws IOException {
    List<String> lines = Files.readAllLines(maps.resolve("attention-" + head + ".csv"));
    return lines.subList(1, lines.size());
  }

  private String refused(String... settings) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "train",
                "--config=" + CommandRunner.HOME.resolve("conf/task/rasp.yaml"),
                "--output=" + folder.resolve("refused")));
    List.of(settings).forEach(setting -> words.add("--set=" + setting));
    return commands.fail(2, words.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model={layers: 2, width: 16, heads: 2, causal: true}",
        "model={layers: 2, width: 16, heads: 1}",
        "model={layers: 1, width: 16, heads: 2}",
        "training.precision=bfloat16"
      })
  void modelsWithoutTheHeadsOfTheProgramAreNotSupervised(String setting) {
    assertThat(
            refused(
                "task={name: rasp, language: double-hist, lengths: [0, 6], attention: 100}",
                "model={layers: 2, width: 16, heads: 2}",
                setting))
        .contains("heads of attention of the program");
  }

  @Test
  void anEpochHasWholeGroups() {
    assertThat(
            refused(
                "task.group=0", "task.epoch=100", "training.batch=64", "training.micro_batch=64"))
        .contains("task.epoch: expected a multiple of the strings of one length, 64, found 100");
  }

  @Test
  void supervisionSpreadsAttentionOverWhatTheProgramSelects() throws IOException {
    String run =
        train(
            "supervised",
            "task/rasp.yaml",
            "task.language=hist-bos",
            "task.lengths=[0, 6]",
            "task.attention=100",
            "model.width=16",
            "model.layers=1",
            "model.heads=1",
            "training.steps=100",
            "optimizer.learning_rate=1.0e-2");
    Path maps = folder.resolve("hist");

    JsonNode heads =
        new ObjectMapper()
            .readTree(
                commands.run(
                    "inspect", run, "--attention", "§abcaba", "--plot", maps.toString(), "--json"));

    assertThat(heads).hasSize(1);
    assertThat(heads.get(0).get("selected").doubleValue()).isGreaterThan(0.9);
    String[] weights = rows(maps, "level-1-layer-1-head-1").get(1).split(",", -1);
    for (int selected : new int[] {0, 1, 4, 6}) {
      assertThat(Double.parseDouble(weights[2 + selected])).isBetween(0.1, 0.4);
    }
    assertThat(commands.fail(2, "inspect", run, "--attention", "ab"))
        .contains("expected § at character 1, found a");
  }

  @Test
  void everyHeadOfEachLevelIsWritten() throws IOException {
    String run =
        train("levels", "regular/parity-regulargpt-2.yaml", "training.steps=1", "model.heads=2");
    Path maps = folder.resolve("maps");

    String printed =
        commands.run("inspect", run, "--attention", "0 1 1 0 1", "--plot", maps.toString());

    assertThat(printed.lines())
        .hasSize(7)
        .contains("level 3, layer 1, head 2")
        .endsWith(maps.toString());
    for (String head : List.of("1-layer-1-head-1", "3-layer-1-head-2")) {
      assertThat(maps.resolve("attention-level-" + head + ".svg")).isRegularFile();
      assertThat(maps.resolve("attention-level-" + head + ".png")).isRegularFile();
      List<String> rows = rows(maps, "level-" + head);
      for (String row : rows.subList(rows.size() - 5, rows.size())) {
        double sum =
            Arrays.stream(row.split(",", -1))
                .skip(2)
                .filter(weight -> !weight.isEmpty())
                .mapToDouble(Double::parseDouble)
                .sum();
        assertThat(sum).isEqualTo(1, within(1e-5));
      }
    }
  }

  private String trainLinear(String name, String position) {
    return train(
        name,
        "task/mqar.yaml",
        "position=" + position,
        "model.width=16",
        "model.layers=2",
        "model.heads=2",
        "training.steps=1");
  }

  @Test
  void onlyLayersOfAttentionHaveMaps() {
    String run =
        trainLinear(
            "hybrid",
            "{scheme: layers, repeat: [{scheme: linear, member: deltanet}, {scheme: none}]}");
    assertThat(commands.run("inspect", run, "--attention", "1 2 3").lines())
        .containsExactly("layer 2, head 1", "layer 2, head 2");
  }

  @Test
  void aModelWithoutAttentionIsRefused() {
    String network = train("rnn", "regular/parity-rnn.yaml", "training.steps=1");
    String linear = trainLinear("gla", "{scheme: linear, member: gla}");
    for (String run : List.of(network, linear)) {
      assertThat(commands.fail(2, "inspect", run, "--attention", "0 1"))
          .contains("a model with attention over all positions", "recurrent network");
    }
  }

  @Test
  void whatASchemeSeesIsDrawn() throws IOException {
    String file = CommandRunner.HOME.resolve("conf/position/regulargpt-4-2.yaml").toString();
    Path pictures = folder.resolve("pictures");

    String printed =
        commands.run("inspect", "--position", file, "--length=20", "--plot", pictures.toString());

    Path picture = pictures.resolve("regulargpt-4-2.svg");
    assertThat(printed.strip()).isEqualTo(picture.toString());
    assertThat(Files.readString(picture))
        .startsWith("<svg")
        .contains("level 2")
        .doesNotContain("level 3");
    assertThat(commands.fail(2, "inspect", "--position", file, "--length=65", "--plot=pictures"))
        .contains("a --length from 2 to 64");
  }
}
