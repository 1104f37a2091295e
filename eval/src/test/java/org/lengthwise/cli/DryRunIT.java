package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of an experiment before it starts. */
class DryRunIT {
  private static final Pattern LINE =
      Pattern.compile(
          "(\\S+) +(\\d) +(\\d:\\d\\d:\\d\\d) +(\\d:\\d\\d:\\d\\d) +(\\d:\\d\\d:\\d\\d)");

  @TempDir private Path folder;
  private final CommandRunner commands = new CommandRunner();

  @BeforeEach
  void writeAnExperiment() throws IOException {
    new TinyExperiment(folder)
        .write(
            "experiment.yaml",
            """
            extends: [base.yaml]
            experiment:
              data: %1$s/shards
              columns:
                - {name: none, position: {scheme: none}}
                - {name: dape, position: {scheme: dape, width: 32, of: {scheme: alibi}}}
              blocks:
                - name: text
                - name: mqar
                  files: [%2$s/task/mqar.yaml]
                  training: {steps: 6, checkpoint: {interval: 3, keep: 1}}
              seeds: [1, 2]
              measurements:
                - {kind: perplexity, lengths: [8, 32], protocols: [{name: aligned, samples: 2000}], seed: 1, within_document: false, position_scaling: [none], memory_limit_megabytes: 16, precision: float32, device: cpu}
                - {kind: recall, tasks: [mqar], lengths: [32], samples: 64, seed: 1, memory_limit_megabytes: 16, precision: float32, device: cpu}
            """
                .formatted(folder, CommandRunner.HOME.resolve("conf")));
  }

  private List<Matcher> lines(String... more) {
    String[] words = {
      "run",
      "--config=" + folder.resolve("experiment.yaml"),
      "--output=" + folder.resolve("out"),
      "--dry-run",
      more.length > 0 ? more[0] : "--queue=none"
    };
    return commands.run(words).lines().map(LINE::matcher).filter(Matcher::matches).toList();
  }

  @Test
  void eachColumnOfEachBlockHasATime() {
    List<Matcher> lines = lines();
    assertThat(lines)
        .extracting(line -> line.group(1) + " " + line.group(2))
        .containsExactly("none-text 2", "none-mqar 2", "dape-text 2", "dape-mqar 2");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void finishedRunsAreNotCounted() throws IOException {
    commands.run(
        "run",
        "--config=" + folder.resolve("experiment.yaml"),
        "--output=" + folder.resolve("out"),
        "--queue=none",
        "--only=none-text-seed1");
    assertThat(Files.exists(folder.resolve("out"))).isTrue();
    assertThat(lines().get(0).group(2)).isEqualTo("1");
  }

  @Test
  void moreWorkTakesLonger() {
    Matcher few = lines("--only=dape-mqar-seed1").get(0);
    Matcher many = lines("--set=experiment.measurements.1.samples=200000").get(3);
    assertThat(seconds(many.group(4))).isGreaterThan(4 * seconds(few.group(4)));
  }

  private static int seconds(String clock) {
    return LocalTime.parse("0" + clock).toSecondOfDay();
  }
}
