package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;
import picocli.CommandLine;

/**
 * A folder to train in: texts of random letters, shards of them, the configuration {@code
 * train.yaml} of a model that trains in a second, and runs.
 *
 * @param path its path
 */
record TrainingFolder(Path path) {
  static final String SHARDS = "shards";

  private static final Path CONF = Path.of("../conf").toAbsolutePath().normalize();
  private static final int NUM_DOCUMENTS = 60;
  private static final int NUM_LETTERS = 200;

  /**
   * Fills a folder.
   *
   * @param path the empty folder
   * @param training the keys of {@code training} that differ between tests, one per line
   */
  static TrainingFolder create(Path path, String training) throws IOException {
    TrainingFolder folder = new TrainingFolder(path);
    folder.prepare("text", SHARDS, "bytes");
    Files.writeString(
        path.resolve("train.yaml"),
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml, %1$s/position/alibi.yaml]
        model: {layers: 2, width: 16, heads: 2}
        training:
          length: 16
          batch: 4
          micro_batch: 4
          precision: float32
          device: cpu
        %2$s\
        """
            .formatted(CONF, training.indent(2)));
    return folder;
  }

  /** Fills a folder for runs of forty steps, with a checkpoint after the twentieth and the last. */
  static TrainingFolder ofFortySteps(Path path) throws IOException {
    return create(
        path,
        """
        steps: 40
        metrics_interval: 1
        validation: {interval: 20, sequences: 4}
        checkpoint: {interval: 20, keep: 1}
        """);
  }

  /** Writes texts that depend on their name only, and shards of them. */
  void prepare(String texts, String shards, String tokenizer) throws IOException {
    Random random = new Random(texts.hashCode());
    Files.createDirectories(path.resolve(texts));
    for (int document = 0; document < NUM_DOCUMENTS; document++) {
      StringBuilder text = new StringBuilder();
      for (int letter = 0; letter < NUM_LETTERS; letter++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      Files.writeString(path.resolve(texts).resolve(document + ".txt"), text);
    }
    int code =
        new CommandLine(new PrepareCommand())
            .execute(
                "--config=" + CONF.resolve("prepare.yaml"),
                "--input=" + path.resolve(texts),
                "--output=" + path.resolve(shards),
                "--tokenizer=" + tokenizer,
                "--set=split.train=0.8",
                "--set=split.validation=0.1",
                "--set=split.test=0.1");
    assertThat(code).isZero();
  }

  /** The folder of a run. */
  RunFolder run(String name) {
    return new RunFolder(path.resolve(name));
  }

  /** The arguments of {@code train} for a run. */
  String[] arguments(String run, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--config=" + path.resolve("train.yaml"),
                "--data=" + path.resolve(SHARDS),
                "--output=" + path.resolve(run)));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  /** The configuration with some keys set. */
  TrainingConfig config(String... settings) {
    return ConfigLoader.load(path.resolve("train.yaml"), List.of(settings))
        .bind(TrainingConfig.class);
  }

  /** Begins or resumes a run and trains it to its end. */
  Trainer.Result advance(String run, String... settings) throws IOException {
    return advanceOn(SHARDS, run, settings);
  }

  /** Trains a run on other shards to its end. */
  Trainer.Result advanceOn(String shards, String run, String... settings) throws IOException {
    return advance(shards, run, config(settings), () -> false);
  }

  /** Trains a run until a stop is requested. */
  Trainer.Result advance(String run, TrainingConfig config, BooleanSupplier stop)
      throws IOException {
    return advance(SHARDS, run, config, stop);
  }

  private Trainer.Result advance(
      String shards, String run, TrainingConfig config, BooleanSupplier stop) throws IOException {
    try (ShardSource data = new ShardSource(path.resolve(shards).toString())) {
      return TrainingRun.advance(config, Task.of(config, data), path.resolve(run), true, stop);
    }
  }

  /** The step of a run's newest checkpoint. */
  long newestStep(String run) throws IOException {
    return Checkpoint.open(run(run).newest().orElseThrow()).state().step();
  }

  /** A child process of {@code train}, which a test may kill. */
  ProcessBuilder process(String... arguments) {
    return process(256, arguments);
  }

  /** A child process with a heap of some megabytes. */
  ProcessBuilder process(int megabytes, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + megabytes + "m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** The main class of the child process. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      System.exit(new CommandLine(new TrainCommand()).execute(arguments));
    }
  }
}
