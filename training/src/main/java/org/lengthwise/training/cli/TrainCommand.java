package org.lengthwise.training.cli;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.device.PeakThroughput;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;
import org.lengthwise.training.plan.RunPlan;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code train}: shards to checkpoints. */
@Command(
    name = "train",
    description = "Trains a model on token shards and writes checkpoints and metrics.",
    footer = {
      "",
      "SIGINT (Ctrl-C) and SIGTERM end the step, write a checkpoint and print the command",
      "that goes on; another one a second or more later ends at once.",
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

  @Option(
      names = "--devices",
      paramLabel = "LIST",
      description =
          "Where to train, in place of training.device: cpu, cpu:2, gpu:0, gpu:0,1, gpu:all."
              + " Each replica takes an equal share of the batch.")
  private @Nullable String devices;

  @Option(names = "--resume", description = "Goes on with an interrupted run in --output.")
  private boolean resume;

  @Option(
      names = "--dry-run",
      description = "Prints what the run would take (size, memory, time) and trains nothing.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    TrainingConfig resolved = ConfigLoader.load(config, overrides()).bind(TrainingConfig.class);
    try (ShardFolder shards = ShardFolder.open(data);
        StopSignals stop = new StopSignals()) {
      if (dryRun) {
        plan(resolved, shards.manifest()).lines().forEach(spec.commandLine().getOut()::println);
        return 0;
      }
      Trainer.Outcome outcome = TrainingRun.advance(resolved, shards, output, resume, stop);
      LOG.info("last checkpoint: {}", outcome.checkpoint());
      if (!outcome.isFinished()) {
        spec.commandLine().getOut().println(wayToGoOn(outcome));
      }
    }
    return 0;
  }

  private static RunPlan plan(TrainingConfig config, Manifest manifest) {
    LoopConfig loop = config.training();
    boolean isGpu = loop.device().startsWith("gpu");
    RunPlan.Machine machine =
        new RunPlan.Machine(
            isGpu,
            Devices.numReplicas(loop.device()),
            Devices.numGpus(),
            PeakThroughput.flopsPerSecond(isGpu ? Device.gpu() : Device.cpu(), loop.precision()));
    long numWindows = Math.max(1, (manifest.split(Split.TRAIN).tokens() - 1) / loop.length());
    int vocabulary = manifest.tokenizer().vocabularySize();
    return new RunPlan(config, config.modelConfig(vocabulary), numWindows, machine);
  }

  /** The settings given one by one; an option of its own is a setting too. */
  private List<String> overrides() {
    List<String> overrides = new ArrayList<>(settings);
    if (devices != null) {
      overrides.add("training.device=" + devices);
    }
    return overrides;
  }

  private String wayToGoOn(Trainer.Outcome outcome) {
    String command = CommandAgain.of(spec, resume ? List.of() : List.of("--resume"));
    return "stopped after step " + outcome.step() + "; to go on:\n  " + command;
  }
}
