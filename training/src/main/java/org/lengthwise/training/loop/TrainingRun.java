package org.lengthwise.training.loop;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.Differences;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.data.TrainingData;

/** Begins, resumes or skips a training run, whichever its folder asks for. */
public final class TrainingRun {
  private static final Logger LOG = LogManager.getLogger(TrainingRun.class);

  private final RunDescription run;
  private final RunFolder folder;
  private final TrainingData data;
  private final BooleanSupplier stopRequested;

  private TrainingRun(
      RunDescription run, RunFolder folder, TrainingData data, BooleanSupplier stopRequested) {
    this.run = run;
    this.folder = folder;
    this.data = data;
    this.stopRequested = stopRequested;
  }

  /**
   * Brings a run to its last step, or as far as it may go.
   *
   * @param config the resolved configuration
   * @param data the shards
   * @param output the run's folder
   * @param resume whether a run that was interrupted there may go on
   * @param stopRequested asked after each step whether the run shall end there
   * @return how far it came
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if the folder holds a run that does not fit, or must not go on
   * @throws DivergenceException if the run diverges, and may not go back or did so before
   */
  public static Trainer.Outcome advance(
      TrainingConfig config,
      ShardFolder data,
      Path output,
      boolean resume,
      BooleanSupplier stopRequested)
      throws IOException {
    RunDescription run = RunDescription.of(config, DataIdentity.of(data.manifest()));
    RunFolder folder = new RunFolder(output);
    Optional<Path> newest = folder.newest();
    if (newest.isEmpty()) {
      requireFree(folder, resume);
    }
    Checkpoint from = newest.isEmpty() ? null : opened(newest.get(), run);
    long steps = config.training().steps();
    if (from != null && from.state().step() == steps) {
      LOG.info("{} is finished already: {}", config.name(), from.folder());
      return new Trainer.Outcome(from.folder(), steps, true);
    }
    if (from != null && !resume) {
      throw new ConfigException(
          output.toString(),
          "a folder without a run",
          "one that was interrupted after step " + from.state().step(),
          "add --resume to go on, or name another folder");
    }
    if (from != null) {
      LOG.info("{} goes on after step {}", config.name(), from.state().step());
    }
    folder.prepare(Checkpoint.numBytes(run.model().numParameters()), checkpointsToCome(run, from));
    return new TrainingRun(run, folder, TrainingData.of(data), stopRequested).train(from);
  }

  /**
   * How many checkpoints will be added to those there: the kept, the best and one in the making.
   */
  private static long checkpointsToCome(RunDescription run, @Nullable Checkpoint from) {
    LoopConfig.Checkpoints config = run.config().training().checkpoint();
    long step = from == null ? 0 : from.state().step();
    long left =
        (run.config().training().steps() - step + config.interval() - 1) / config.interval();
    return Math.min(left, from == null ? config.keep() + 2 : 1);
  }

  private Trainer.Outcome train(@Nullable Checkpoint from) throws IOException {
    try {
      return attempt(from);
    } catch (DivergenceException e) {
      Optional<Checkpoint> back = rolledBack(from, e);
      if (back.isEmpty()) {
        throw e;
      }
      return attempt(back.get());
    }
  }

  private Trainer.Outcome attempt(@Nullable Checkpoint from) throws IOException {
    try (Trainer trainer = new Trainer(run, folder, data, from)) {
      return trained(trainer);
    }
  }

  /** Training reads what is mapped already, so what fails here is writing. */
  private Trainer.Outcome trained(Trainer trainer) {
    try {
      return trainer.train(stopRequested);
    } catch (IOException e) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder that files can be written into until the run ends",
          e.toString(),
          "make room there, then go on with --resume: finished checkpoints are whole",
          e);
    }
  }

  /** The last checkpoint with a lower learning rate, where the run may go back to it. */
  private Optional<Checkpoint> rolledBack(@Nullable Checkpoint from, DivergenceException divergence)
      throws IOException {
    LoopConfig.Guard guard = run.config().training().guard();
    Optional<Path> newest = folder.newest();
    boolean wentBackBefore = from != null && from.state().guard().numRollBacks() > 0;
    if (guard.action() == LoopConfig.Guard.Action.STOP || wentBackBefore || newest.isEmpty()) {
      return Optional.empty();
    }
    Checkpoint last = Checkpoint.open(newest.get());
    TrainState state = last.state().rolledBack(guard.learningRateFactor());
    LOG.warn(
        "step {}: {}; back to step {} with {} times the learning rate",
        divergence.step(),
        divergence.what(),
        state.step(),
        state.guard().learningRateFactor());
    boolean tensorboard = run.config().training().tensorboard();
    try (MetricsFile metrics = MetricsFile.resume(folder, state, tensorboard)) {
      metrics.write(
          new Metrics.RollBack(
              state.step(),
              divergence.step(),
              divergence.what(),
              state.guard().learningRateFactor()));
    }
    return Optional.of(new Checkpoint(last.folder(), last.run(), state));
  }

  private static void requireFree(RunFolder folder, boolean resume) throws IOException {
    if (Files.isDirectory(folder.path()) && !Files.exists(folder.metrics())) {
      try (Stream<Path> content = Files.list(folder.path())) {
        if (content.findAny().isPresent()) {
          throw new ConfigException(
              folder.path().toString(),
              "an absent or empty folder, or one with a run",
              "other files",
              "name another folder");
        }
      }
    }
    if (Files.exists(folder.metrics()) && !resume) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "one that was interrupted before its first checkpoint",
          "add --resume to begin it again, or name another folder");
    }
  }

  private static Checkpoint opened(Path path, RunDescription run) throws IOException {
    Checkpoint checkpoint = Checkpoint.open(path);
    requireEqual(path, checkpoint.run().config().onDevicesOf(run.config()), run.config());
    requireEqual(path, checkpoint.run().data(), run.data());
    return checkpoint;
  }

  private static void requireEqual(Path path, Record stored, Record asked) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<String> differences =
        Differences.between(mapper.valueToTree(stored), mapper.valueToTree(asked));
    if (!differences.isEmpty()) {
      throw new ConfigException(
          path.toString(),
          "a checkpoint of the same configuration and data",
          "another: " + String.join("; ", differences),
          "go on with what the run began with, or name another folder");
    }
  }
}
