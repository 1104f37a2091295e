package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.experiment.RunQueue;

/** Runs of one experiment in two processes: side by side, stopped, damaged and resumed. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueIT {
  private static final List<String> RUNS = List.of("alibi-seed1", "none-seed1");

  /** Training that no machine finishes before a test stops it. */
  private static String[] endless(String output, String... more) {
    return tiny.experiment(
        output,
        Stream.concat(
                Stream.of(more),
                Stream.of(
                    "--set=training.steps=100000000",
                    "--set=training.validation.interval=100000000",
                    "--set=training.checkpoint.interval=100000000"))
            .toArray(String[]::new));
  }

  @TempDir private static Path folder;
  private static TinyExperiment tiny;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void prepareAnExperiment() throws IOException {
    tiny = new TinyExperiment(folder);
    tiny.writeExperiment("[1]", "alibi", "none");
  }

  private static String readUntil(BufferedReader lines, String part) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(part)) {
      line = lines.readLine();
    }
    assertThat(line).as("a line with %s", part).isNotNull();
    return String.valueOf(line);
  }

  private static List<String> checkpoints(String output, String run) throws IOException {
    try (Stream<Path> all = Files.list(tiny.resolve(output + "/runs/" + run + "/checkpoints"))) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  private static void requireOneCheckpointOfEachRun(String output) throws IOException {
    for (String run : RUNS) {
      assertThat(checkpoints(output, run)).singleElement().asString().startsWith("step-");
    }
  }

  @Test
  void aSignalEndsTheStepOfEveryRunAndSaysHowToResume() throws Exception {
    Process process = CommandRunner.process(endless("signalled", "--queue=cpu:2")).start();
    try (BufferedReader lines = process.inputReader()) {
      readUntil(lines, "run 2 of 3: none-seed1 on cpu");
      process.toHandle().destroy();
      readUntil(lines, "stopped; to resume:");
      assertThat(lines.readLine()).contains("run --config=", "--queue=cpu:2");
      assertThat(process.waitFor()).isEqualTo(75);
    } finally {
      process.destroyForcibly();
    }
    requireOneCheckpointOfEachRun("signalled");
  }

  @Test
  void runsEndWhenTheProcessThatStartedThemIsKilled() throws Exception {
    Process process = CommandRunner.process(endless("orphaned", "--queue=cpu:2")).start();
    try (BufferedReader lines = process.inputReader()) {
      readUntil(lines, "run 2 of 3: none-seed1 on cpu");
      List<ProcessHandle> children = process.descendants().toList();
      assertThat(children).hasSize(2);
      process.destroyForcibly().waitFor();
      for (ProcessHandle child : children) {
        child.onExit().get(2, TimeUnit.MINUTES);
      }
    }
    requireOneCheckpointOfEachRun("orphaned");
  }

  /** Stops a run in this process after its first step, as a queue does by closing its input. */
  private void stopAfterTheFirstStep(String output, String run) {
    InputStream input = System.in;
    System.setIn(InputStream.nullInputStream());
    try {
      commands.run(75, tiny.experiment(output, "--only=" + run, "--stop-at-end-of-input"));
    } finally {
      System.setIn(input);
    }
  }

  @Test
  void aFailedRunIsReportedAfterTheOthersHaveFinished() throws IOException {
    stopAfterTheFirstStep("failing", "alibi-seed1");
    Path runs = tiny.resolve("failing/runs");
    for (String checkpoint : checkpoints("failing", "alibi-seed1")) {
      Files.writeString(
          runs.resolve("alibi-seed1/checkpoints").resolve(checkpoint).resolve("model.safetensors"),
          "?",
          StandardCharsets.UTF_8,
          StandardOpenOption.APPEND);
    }
    try (CapturedLog log = new CapturedLog(RunQueue.class)) {
      assertThat(commands.fail(3, tiny.experiment("failing", "--queue=cpu:2")))
          .contains("1 of 3 runs failed", "alibi-seed1, exit code 3", "model.safetensors");
      assertThat(log.lines()).anyMatch(line -> line.startsWith("ERROR alibi-seed1 failed"));
    }
    assertThat(runs.resolve("none-seed1/evaluation/DONE")).exists();
    assertThat(tiny.resolve("failing/report")).doesNotExist();
  }

  private static void deleteTensors(String output, String run) throws IOException {
    Path checkpoints = tiny.resolve(output + "/runs/" + run + "/checkpoints");
    try (Stream<Path> files = Files.walk(checkpoints)) {
      for (Path tensors : files.filter(file -> file.toString().endsWith(".safetensors")).toList()) {
        Files.delete(tensors);
      }
    }
  }

  @Test
  void aQueueEndsWithTheNumbersOfRunsInTurn() throws IOException {
    commands.run(tiny.experiment("queued", "--only=alibi-seed1"));
    deleteTensors("queued", "alibi-seed1"); // a finished run needs none
    assertThat(
            commands.fail(
                2, tiny.experiment("queued", "--only=alibi-seed1", "--set=optimizer.beta1=0.5")))
        .contains("a checkpoint of the same configuration", "optimizer.beta1");
    stopAfterTheFirstStep("queued", "none-seed1");
    assertThat(commands.run(tiny.experiment("queued", "--queue=cpu*2")))
        .contains("ALiBi", "report.html");
    assertThat(tiny.resolve("queued/logs").toFile().list()) // a finished run needs no process
        .containsExactlyInAnyOrder("none-seed1.log", "baselines.log");
    commands.run(tiny.experiment("in-turn", "--only=alibi-seed1"));
    String config = tiny.option("--config", "experiment.yaml");
    assertThat(commands.run("run", config, tiny.option("--unfinished", "in-turn")))
        .isEqualTo("none-seed1\nbaselines\n");
    assertThat(tiny.resolve("in-turn/report")).doesNotExist();
    commands.run(tiny.experiment("in-turn"));
    for (String file : List.of("report/table.csv", "report/table.md")) {
      assertThat(tiny.resolve("queued").resolve(file))
          .hasSameTextualContentAs(tiny.resolve("in-turn").resolve(file));
    }
  }

  @Test
  void aSecondProcessIsRejectedFromARunAndCompletesAnother() throws Exception {
    String[] first = endless("shared", "--only=alibi-seed1", "--stop-at-end-of-input");
    Process process = CommandRunner.process(first).start();
    try (BufferedReader lines = process.inputReader()) {
      readUntil(lines, "alibi: parameters");
      assertThat(commands.fail(2, endless("shared", "--only=alibi-seed1")))
          .contains("shared/runs/alibi-seed1: expected a folder that no other process trains in");
      commands.run(tiny.experiment("shared", "--only=none-seed1"));
      assertThat(process.isAlive()).isTrue();
      process.getOutputStream().close();
      readUntil(lines, "stopped; to resume:");
      assertThat(process.waitFor()).isEqualTo(75);
    } finally {
      process.destroyForcibly();
    }
    requireOneCheckpointOfEachRun("shared");
    commands.run(tiny.experiment("alone", "--only=none-seed1"));
    String results = "/runs/none-seed1/receptive-field/receptive-fields.jsonl";
    assertThat(tiny.resolve("shared" + results)).isNotEmptyFile();
    assertThat(Files.readString(tiny.resolve("shared" + results)))
        .isEqualTo(
            Files.readString(tiny.resolve("alone" + results))
                .replace(tiny.resolve("alone") + "/", tiny.resolve("shared") + "/"));
  }

  @Test
  void theRunsAreListedWithoutAnOutput() {
    String config = tiny.option("--config", "experiment.yaml");
    assertThat(commands.run("run", config, "--list"))
        .isEqualTo("alibi-seed1\nnone-seed1\nbaselines\n");
    assertThat(
            commands.run(
                "run", config, "--list", "--set=experiment.seeds=[7]", "--only=none-seed7"))
        .isEqualTo("none-seed7\n");
    assertThat(
            commands.fail(
                2,
                "run",
                config,
                "--unfinished=none",
                "--set=experiment.data=" + tiny.resolve("x")))
        .contains(tiny.resolve("x") + ": expected a folder of token shards");
    assertThat(
            commands.fail(
                2, "run", config, "--output=none", "--set=experiment.columns=[{colour: 1}]"))
        .contains("colour");
    assertThat(commands.fail(2, "run", config))
        .contains("--output=DIR", "--list", "--unfinished=DIR");
  }

  @Test
  void aReportFolderWithOtherFilesIsRefusedBeforeTheFirstRun() throws IOException {
    Path page = Files.createDirectories(tiny.resolve("taken/report")).resolve("report.html");
    Files.writeString(page, "mine");
    assertThat(commands.fail(2, tiny.experiment("taken"))).contains("such as report.html");
    assertThat(tiny.resolve("taken/runs")).doesNotExist();
  }

  @Test
  void anUnknownRunIsRejectedWithTheNamesOfTheRuns() {
    assertThat(commands.fail(2, tiny.experiment("unknown", "--only=alibi-seed7")))
        .contains("run alibi-seed7: expected one of alibi-seed1, none-seed1");
  }
}
