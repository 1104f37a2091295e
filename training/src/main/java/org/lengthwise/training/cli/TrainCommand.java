package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.TrainingRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code train}: shards to checkpoints. */
@Command(
    name = "train",
    description = "Trains a model on token shards and writes checkpoints and metrics.",
    footer = {
      "",
      "Example:",
      "  train --config conf/train/alibi.yaml --data owt2 --output runs/alibi --resume"
    })
@SuppressWarnings("NullAway.Init") // picocli fills the options
public final class TrainCommand implements Callable<Integer> {
  private static final Logger LOG = LogManager.getLogger(TrainCommand.class);

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The training configuration, such as conf/train/alibi.yaml.")
  private Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as training.steps=1000; may be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--data",
      required = true,
      paramLabel = "URI",
      description = "A folder of token shards, as prepare writes it.")
  private String data;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The run's folder: checkpoints/ and metrics.jsonl.")
  private Path output;

  @Option(names = "--resume", description = "Goes on with an interrupted run in --output.")
  private boolean resume;

  @Override
  public Integer call() throws IOException {
    TrainingConfig resolved = ConfigLoader.load(config, settings).bind(TrainingConfig.class);
    try (ShardFolder shards = ShardFolder.open(data)) {
      LOG.info("last checkpoint: {}", TrainingRun.complete(resolved, shards, output, resume));
    }
    return 0;
  }
}
