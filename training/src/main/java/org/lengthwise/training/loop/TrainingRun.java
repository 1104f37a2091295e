package org.lengthwise.training.loop;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.Differences;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.RunLock;
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
   * @throws ConfigException if the folder holds a run that does not fit, or must not go on, or
   *     another process trains there
   * @throws DataFormatException if the run's newest checkpoint is damaged, or the data is
   * @throws DivergenceException if the run diverges, and may not go back or did so before
   */
  public static Trainer.Outcome advance(
      TrainingConfig config,
      ShardFolder data,
      Path output,
      boolean resume,
      BooleanSupplier stopRequested)
      throws IOException {
    requireOwn(new RunFolder(output));
    try (RunLock lock = RunLock.of(output)) {
      RunDescription run = RunDescription.of(config, DataIdentity.of(data.manifest()));
      return advance(run, lock.folder(), data, resume, stopRequested);
    }
  }

  private static Trainer.Outcome advance(
      RunDescription run,
      RunFolder folder,
      ShardFolder data,
      boolean resume,
      BooleanSupplier stopRequested)
      throws IOException {
    LoopConfig loop = run.config().training();
    Optional<Checkpoint> newest = newest(folder);
    newest.ifPresent(checkpoint -> requireSame(checkpoint, run));
    long step = newest.map(checkpoint -> checkpoint.state().step()).orElse(0L);
    if (step == loop.steps()) {
      Path last = folder.checkpoint(step);
      LOG.info("{} is finished already: {}", run.name(), last);
      return new Trainer.Outcome(last, step, true);
    }
    if (!resume) {
      requireUnbegun(folder, step);
    }
    TrainingData tokens = TrainingData.of(data);
    Trainer.requireFeasible(loop, tokens);
    if (newest.isPresent()) {
      LOG.info("{} goes on after step {}", run.name(), step);
    }
    folder.prepare(
        Checkpoint.numBytes(run.model().numParameters()),
        checkpointsToCome(loop, step, folder.checkpoints().size()));
    return new TrainingRun(run, folder, tokens, stopRequested).train(newest.orElse(null));
  }

  /**
   * How many checkpoints will be added to those there, at most: the kept, the best and one in the
   * making lie there together.
   *
   * @param config the run's loop
   * @param step finished steps
   * @param numThere how many lie there already
   */
  static long checkpointsToCome(LoopConfig config, long step, int numThere) {
    LoopConfig.Checkpoints checkpoint = config.checkpoint();
    long left = (config.steps() - step + checkpoint.interval() - 1) / checkpoint.interval();
    return Math.min(left, Math.max(1, checkpoint.keep() + 2 - numThere));
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
    boolean wentBackBefore = from != null && from.state().guard().numRollBacks() > 0;
    if (guard.action() == LoopConfig.Guard.Action.STOP || wentBackBefore) {
      return Optional.empty();
    }
    Optional<Checkpoint> newest = newest(folder);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    Checkpoint last = newest.get();
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

  /** A folder without a run must not hold anything of somebody else's. */
  private static void requireOwn(RunFolder folder) throws IOException {
    if (Files.exists(folder.metrics()) || folder.newest().isPresent()) {
      return;
    }
    Optional<Path> foreign = folder.foreign();
    if (foreign.isPresent()) {
      throw new ConfigException(
          folder.path().toString(),
          "an absent or empty folder, or one with a run",
          "other files, such as " + foreign.get().getFileName(),
          "name another folder");
    }
  }

  private static void requireUnbegun(RunFolder folder, long step) {
    if (step > 0) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "one that was interrupted after step " + step,
          "add --resume to go on, or name another folder");
    }
    if (Files.exists(folder.metrics())) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "one that was interrupted before its first checkpoint",
          "add --resume to begin it again, or name another folder");
    }
  }

  /** The checkpoint to go on from; one that is damaged is not passed over in silence. */
  private static Optional<Checkpoint> newest(RunFolder folder) throws IOException {
    List<Path> all = folder.checkpoints();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Path newest = all.get(all.size() - 1);
    try {
      return Optional.of(Checkpoint.open(newest));
    } catch (DataFormatException e) {
      String next =
          all.size() == 1
              ? "there is no older one: remove " + folder.path() + " and begin again"
              : "to go on from %s, remove %s".formatted(all.get(all.size() - 2), newest);
      throw new DataFormatException(
          newest.toString(),
          "a whole checkpoint to go on from",
          String.valueOf(e.getMessage()),
          next,
          e);
    }
  }

  private static void requireSame(Checkpoint checkpoint, RunDescription run) {
    Path path = checkpoint.folder();
    requireEqual(path, checkpoint.run().config().resumedAs(run.config()), run.config());
    requireEqual(path, checkpoint.run().data(), run.data());
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
