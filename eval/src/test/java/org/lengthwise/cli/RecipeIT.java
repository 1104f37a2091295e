package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect --how}: the commands that it prints make the same artifacts in another folder. */
class RecipeIT {
  private static final String WEIGHTS = "runs/alibi/checkpoints/step-00000006/model.safetensors";

  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private final CommandRunner commands = new CommandRunner();

  @TempDir private Path elsewhere;

  @BeforeAll
  static void trainAModel() throws IOException {
    tiny = new TinyExperiment(Files.createDirectories(folder.resolve("it's a test")));
    tiny.train("alibi", "{scheme: alibi}");
  }

  @Test
  void theCommandsOfAReportMakeTheSameTables() throws Exception {
    commands.run(
        "evaluate",
        tiny.checkpoint("alibi"),
        tiny.data(),
        "--lengths=16,64",
        "--protocol=aligned",
        "--samples=10",
        "--set=memory_limit_megabytes=64",
        tiny.option("--output", "results/alibi"));
    commands.run(
        "report",
        tiny.option("--results", "results"),
        "--report-set=bootstrap.resamples=200",
        tiny.option("--output", "report"));

    String printed = paste(how("report"));

    assertThat(printed).doesNotContain("differs", "FAILED");
    assertSame("shards/train-00000.arrow");
    assertSame(WEIGHTS);
    assertSame("report/table.md");
    assertSame("report/table.csv");
  }

  @Test
  void theCommandsOfAnExperimentMakeTheSameTables() throws Exception {
    tiny.write("my.yaml", "name: mine\nposition: {scheme: alibi}\n");
    tiny.writeExperiment("[1]", "my", "none");
    commands.run(tiny.experiment("experiment", "--set=training.steps=4", "--queue=none"));
    for (String part : List.of("experiment/report", "experiment/runs/mine-seed1")) {
      assertThat(how(part))
          .containsOnlyOnce("\"$LENGTHWISE\" run")
          .contains("--set training.steps=4");
    }

    paste(how("experiment"));

    assertSame("experiment/report/table.md");
  }

  @Test
  void anArtifactWithoutARecordSaysWhatItLacks() throws Exception {
    tiny.copy("shards", "older/shards");
    tiny.copy("runs/alibi", "older/runs/alibi");
    Files.delete(tiny.resolve("older/runs/alibi/provenance.json"));
    String run = how("older/runs/alibi");
    assertThat(run).contains("# not stored: the command,", "--data shards", "made by lengthwise ");

    paste(run);

    assertThat(elsewhere.resolve(WEIGHTS)).hasSameBinaryContentAs(tiny.resolve(WEIGHTS));
    Files.delete(tiny.resolve("older/shards/provenance.json"));
    assertThat(how("older/shards"))
        .contains("# not stored: the command, the folders that it named", "--tokenizer bytes")
        .contains("sha256sum --check");
    Path results = Files.createDirectories(tiny.resolve("older/results"));
    Files.writeString(results.resolve("measurement.json"), "{}");
    assertThat(how("older/results")).contains("not stored: the command", "measurement.json holds");
    Path report = Files.createDirectories(tiny.resolve("older/report"));
    Files.writeString(report.resolve("report.json"), "{}");
    assertThat(how("older/report")).contains("the paths of its inputs", "report.json holds");
    Files.delete(report.resolve("report.json"));
    assertThat(commands.fail(3, "inspect", report.toString(), "--how")).contains("of an artifact");
  }

  @Test
  void aCommandThatFindsItsOutputFinishedKeepsTheRecord() throws Exception {
    Path record = tiny.resolve("runs/alibi/provenance.json");
    String before = Files.readString(record);
    TimeUnit.MILLISECONDS.sleep(200);
    commands.run(
        "train",
        "--config=" + tiny.resolve("alibi.yaml"),
        tiny.data(),
        "--output=" + tiny.resolve("runs/alibi"),
        "--resume");
    assertThat(record).hasContent(before);
    assertThat(how("runs/alibi/checkpoints/step-00000006")).doesNotContain("--resume");
    commands.run("run", "--help");
    assertThat(Path.of("provenance.json")).doesNotExist();
  }

  private String how(String artifact) {
    return commands.run("inspect", tiny.resolve(artifact).toString(), "--how");
  }

  /** Gives a script to a shell as a user pastes it, and returns what the shell prints. */
  private String paste(String script) throws Exception {
    List<String> words = new ArrayList<>(CommandRunner.process().command());
    words.replaceAll(word -> "'" + word.replace("-Xmx512m", "-Xmx1g") + "'");
    Path launcher = elsewhere.resolve("lengthwise");
    Files.writeString(launcher, "#!/bin/sh\nexec " + String.join(" ", words) + " \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    ProcessBuilder shell = new ProcessBuilder("bash").directory(elsewhere.toFile());
    shell.environment().put("LENGTHWISE", launcher.toString());
    Process process = shell.redirectErrorStream(true).start();
    process.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(script + printed).isZero();
    return printed;
  }

  private void assertSame(String file) {
    assertThat(elsewhere.resolve(file)).hasSameBinaryContentAs(tiny.resolve(file));
  }
}
