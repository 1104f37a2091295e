package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a classifier of strings. */
class StringsIT {
  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void trainAClassifier() throws IOException {
    Files.writeString(
        folder.resolve("tomita.yaml"),
        """
        extends: [%s/train/parity-regulargpt-2.yaml]
        name: tomita
        task: {name: tomita_4, lengths: [1, 6]}
        model: {width: 16, heads: 2}
        training:
          batch: 16
          micro_batch: 16
          steps: 4
          validation: {interval: 4, sequences: 6}
        """
            .formatted(CommandRunner.HOME.resolve("conf")));
    new CommandRunner().run("train", config(), output("run"));
  }

  private static String config() {
    return "--config=" + folder.resolve("tomita.yaml");
  }

  private static String output(String name) {
    return "--output=" + folder.resolve(name);
  }

  private static String checkpoint() {
    return "--checkpoint=" + folder.resolve("run");
  }

  @Test
  void dryRunPrintsTheLengthsOfTheTask() {
    assertThat(commands.run("train", config(), output("dry"), "--dry-run"))
        .contains("in 4 steps of 16 x 1 to 6");
  }

  @Test
  void taskHasNoData() {
    assertThat(commands.fail(2, "train", config(), output("data"), "--data=shards"))
        .contains("--data: expected no data, because tomita_4 draws its own strings");
    String text = "--config=" + CommandRunner.HOME.resolve("conf/train/alibi.yaml");
    assertThat(commands.fail(2, "train", text, output("text"), "--set=training.device=cpu"))
        .contains("--data: expected a shard folder");
  }

  @Test
  void inspectNamesTaskAndLabels() {
    assertThat(commands.run("inspect", folder.resolve("run").toString()))
        .contains("tomita_4, 2 symbols, 2 labels")
        .doesNotContain("end of text");
  }

  @Test
  void commandsOfLanguageModelsRejectAClassifier() {
    String tokens = "--tokens=" + folder.resolve("none.json");
    for (String[] words :
        new String[][] {
          {"score", checkpoint(), tokens},
          {"generate", checkpoint(), "--prompt=x"},
          {
            "receptive-field",
            checkpoint(),
            "--data=none",
            "--length=4",
            "--samples=2",
            output("field")
          },
          {"evaluate", checkpoint(), "--data=none", "--lengths=4", output("results")},
          {"export", checkpoint(), "--format=gpt2", output("gpt2")}
        }) {
      assertThat(commands.fail(2, words))
          .as(words[0])
          .contains(
              "expected a language model, found a classifier of strings, trained on tomita_4");
    }
  }

  @Test
  void classifierIsExportedWithItsDescription() throws IOException {
    commands.run("export", checkpoint(), "--format=safetensors", output("exported"));
    assertThat(Files.size(folder.resolve("exported/model.safetensors"))).isPositive();
  }
}
