package org.lengthwise.training.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.progress.Allocation;
import org.lengthwise.task.Task;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.device.PeakThroughput;
import org.lengthwise.training.loop.StartingPoint;
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
    sortOptions = false,
    header = "Trains a model on token shards or on strings of a task.",
    description = "Writes checkpoints and metrics to the folder of the run.",
    footer = {
      "",
      "SIGINT (Ctrl-C) or SIGTERM finishes the current step, writes a checkpoint, prints the"
          + " command that resumes, and ends with exit code 75. A second signal, at least one second"
          + " later, ends the process immediately.",
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
      description = "The configuration, such as conf/train/alibi.yaml.")
  private Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one key, such as training.steps=1000. May be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--data",
      paramLabel = "URI",
      description = "A shard folder, the output of prepare. A task on strings has none.")
  private @Nullable String data;

  @Option(
      names = "--from",
      paramLabel = "CHECKPOINT",
      description =
          "A model that training starts from: a checkpoint, a run, or a folder in Hugging Face's"
              + " layout. Replaces start.checkpoint.")
  private @Nullable String from;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the run, for its checkpoints and metrics.")
  private Path output;

  @Option(
      names = "--devices",
      paramLabel = "LIST",
      description =
          "The devices: cpu, cpu:2, gpu:0, gpu:0,1 or gpu:all. Replaces training.device."
              + " Each replica takes an equal share of the batch.")
  private @Nullable String devices;

  @Option(names = "--resume", description = "Resumes an interrupted run in --output.")
  private boolean resume;

  @Option(
      names = "--dry-run",
      description = "Prints the size, memory and time of the run, and trains nothing.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    LayeredConfig layers = StartingPoint.under(ConfigLoader.load(config, overrides()));
    TrainingConfig resolved = layers.bind(TrainingConfig.class);
    if (data != null && resolved.task() != null) {
      throw new ConfigException(
          "--data",
          "no data, because %s draws its own strings".formatted(resolved.task().name()),
          data,
          "omit the option, or remove the section task from " + config);
    }
    try (ShardSource shards = new ShardSource(data);
        StopSignals stop = new StopSignals()) {
      Task task = Task.of(resolved, shards);
      if (dryRun) {
        plan(StartingPoint.resolved(resolved), task)
            .lines()
            .forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().println("allocation   " + Allocation.current());
        return 0;
      }
      LOG.info("{}", Allocation.current());
      if (!resume
          && settings.stream().anyMatch(setting -> setting.matches("position(\\.scheme)?=.*"))
          && settings.stream().noneMatch(setting -> setting.startsWith("name="))) {
        LOG.warn(
            "the run is still named {}; another name, for reports: --set name=NAME",
            resolved.name());
      }
      Trainer.Result outcome = TrainingRun.advance(resolved, task, output, resume, stop);
      LOG.info("last checkpoint: {}", outcome.checkpoint());
      if (!outcome.isFinished()) {
        spec.commandLine().getOut().println(resumeText(outcome));
        return StopSignals.STOPPED;
      }
    }
    return 0;
  }

  private static RunPlan plan(TrainingConfig config, Task task) {
    LoopConfig loop = config.training();
    RunPlan.Machine machine =
        new RunPlan.Machine(
            loop.device().startsWith("gpu"),
            Devices.numReplicas(loop.device()),
            Devices.numGpus(),
            Optional.of(Devices.libtorch()),
            PeakThroughput.flopsPerSecond(loop));
    return new RunPlan(
        config, config.modelConfig(task.vocabulary()), task.samplesPerEpoch(), machine);
  }

  private List<String> overrides() {
    List<String> overrides = new ArrayList<>(settings);
    if (devices != null) {
      overrides.add("training.device=" + devices);
    }
    if (from != null) {
      overrides.add("start.checkpoint=" + from);
    }
    return overrides;
  }

  private String resumeText(Trainer.Result outcome) {
    String command = RepeatCommand.of(spec, resume ? List.of() : List.of("--resume"));
    return "stopped after step " + outcome.step() + "; to resume:\n  " + command;
  }
}
