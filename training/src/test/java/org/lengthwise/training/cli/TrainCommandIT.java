package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine;

/** The output and the files of {@code train}. */
class TrainCommandIT {
  private static TrainingFolder folder;

  private final StringWriter out = new StringWriter();
  private final CommandLine train =
      new CommandLine(new TrainCommand()).setOut(new PrintWriter(out, true));

  @BeforeAll
  static void writeDataAndAConfiguration(@TempDir Path path) throws IOException {
    folder = TrainingFolder.ofFortySteps(path);
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void terminatedRunPrintsTheCommandThatResumes() throws IOException, InterruptedException {
    RunFolder endless = folder.run("endless");
    Path errors = folder.path().resolve("errors");
    Files.createDirectories(endless.path());
    try (WatchService watch = endless.path().getFileSystem().newWatchService()) {
      endless.path().register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process =
          folder
              .process(folder.arguments("endless", "--set=training.steps=10000000"))
              .redirectError(errors.toFile())
              .start();
      boolean began = false;
      while (!began && process.isAlive()) {
        watch.poll(1, TimeUnit.SECONDS);
        began = Files.exists(endless.metrics());
      }
      process.toHandle().destroy();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(Files.readString(errors)).isEqualTo(75);
      assertThat(said)
          .startsWith("stopped after step " + folder.newestStep("endless") + "; to resume:")
          .contains(
              "scripts/lengthwise",
              "--data=" + folder.path().resolve(TrainingFolder.SHARDS),
              " --resume");
    }
  }

  @Test
  void finishedRunIsNotChanged() throws IOException {
    assertThat(train.execute(folder.arguments("run"))).isZero();
    assertThat(folder.newestStep("run")).isEqualTo(40);
    String metrics = Files.readString(folder.run("run").metrics());
    assertThat(train.execute(folder.arguments("run"))).isZero();
    assertThat(folder.run("run").metrics()).hasContent(metrics);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void dryRunPrintsThePlanAndWritesNothing() {
    String[] arguments = folder.arguments("dry", "--dry-run", "--devices=cpu:2");
    assertThat(train.execute(arguments)).isZero();
    assertThat(out.toString())
        .contains(
            "alibi, seed 1",
            "2 executed layers at 16 tokens",
            "2,560 in 40 steps",
            "cpu:2, 2 replicas",
            "allocation   processors: ");
    assertThat(folder.run("dry").path()).doesNotExist();
  }

  @Test
  void folderOfARunWithoutAnyMetricsMayBeUsed() throws IOException {
    Path early = folder.run("early").path();
    Path remains = early.resolve("checkpoints/.step-00000020.partial");
    Files.createDirectories(remains);
    Files.createFile(early.resolve(".lock"));
    assertThat(train.execute(folder.arguments("early"))).isZero();
    assertThat(folder.run("early").newest()).isPresent();
    assertThat(remains).doesNotExist();
  }
}
