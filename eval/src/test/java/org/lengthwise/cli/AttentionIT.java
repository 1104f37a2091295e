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

  private double share(String run, String text) throws IOException {
    JsonNode heads =
        new ObjectMapper().readTree(commands.run("inspect", run, "--attention", text, "--json"));
    return heads.get(0).get("selected").doubleValue();
  }

  @Test
  void supervisionDrawsAttentionToWhatTheProgramSelects() throws IOException {
    String[] settings = {
      "task.language=hist-bos",
      "task.lengths=[0, 6]",
      "model.width=16",
      "model.layers=1",
      "model.heads=1",
      "training.steps=100",
      "optimizer.learning_rate=1.0e-2"
    };
    String[] supervised = Arrays.copyOf(settings, settings.length + 1);
    supervised[settings.length] = "task.attention=100";
    String text = "§abcaba";

    double without = share(train("free", "task/rasp.yaml", settings), text);
    double with = share(train("supervised", "task/rasp.yaml", supervised), text);

    System.out.println("on selected positions: " + without + ", supervised " + with);
    assertThat(with).isGreaterThan(0.9).isGreaterThan(without);
    assertThat(commands.fail(2, "inspect", folder.resolve("free").toString(), "--attention", "ab"))
        .contains("expected BOS at ids[0]");
  }

  @Test
  void everyHeadOfEachLevelIsWritten() throws IOException {
    String run =
        train("levels", "regular/parity-regulargpt-2.yaml", "training.steps=1", "model.heads=2");
    Path maps = folder.resolve("maps");

    String printed =
        commands.run("inspect", run, "--attention", "0 1 1 0 1", "--plot", maps.toString());

    assertThat(printed.lines()).hasSize(6).contains("level 3, layer 1, head 2");
    for (String head : List.of("1-layer-1-head-1", "3-layer-1-head-2")) {
      Path csv = maps.resolve("attention-level-" + head + ".csv");
      assertThat(maps.resolve("attention-level-" + head + ".svg")).isRegularFile();
      assertThat(maps.resolve("attention-level-" + head + ".png")).isRegularFile();
      List<String> rows = Files.readAllLines(csv);
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

  @Test
  void aModelWithoutAttentionIsRefused() {
    String run = train("rnn", "regular/parity-rnn.yaml", "training.steps=1");
    assertThat(commands.fail(2, "inspect", run, "--attention", "0 1"))
        .contains("a model with attention over all positions", "recurrent network");
  }
}
