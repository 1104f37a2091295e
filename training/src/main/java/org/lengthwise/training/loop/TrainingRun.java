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
import org.lengthwise.artifact.LockFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.Differences;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;

/** Begins, resumes or skips a training run, as its folder requires. */
public final class TrainingRun {
  private static final Logger LOG = LogManager.getLogger(TrainingRun.class);

  private final RunDescription run;
  private final RunFolder folder;
  private final Task task;
  private final @Nullable StartingPoint start;
  private final BooleanSupplier stopRequested;

  private TrainingRun(
      RunDescription run,
      Task task,
      RunFolder folder,
      @Nullable StartingPoint start,
      BooleanSupplier stopRequested) {
    this.run = run;
    this.task = task;
    this.folder = folder;
    this.start = start;
    this.stopRequested = stopRequested;
  }

  /**
   * Trains a run until its last step or until a stop is requested.
   *
   * @param task the task to learn; its data is kept open by the caller
   * @param resume whether an interrupted run in the folder may resume
   * @param stopRequested called after each step; true ends the run there
   * @throws ConfigException if the folder holds another run, or an interrupted one that may not
   *     resume, or another process trains there
   * @throws DataFormatException if the run's newest checkpoint or the data is damaged
   * @throws DivergenceException if the run diverges and may not roll back, or did so before
   */
  public static Trainer.Result advance(
      TrainingConfig config, Task task, Path output, boolean resume, BooleanSupplier stopRequested)
      throws IOException {
    RunFolder folder = new RunFolder(output);
    requireOwn(folder);
    try (LockFile lock = folder.lock()) {
      LOG.debug("locked: {}", lock);
      Optional<StartingPoint> point = StartingPoint.of(config);
      TrainingConfig named = point.isPresent() ? point.get().named(config) : config;
      RunDescription run = RunDescription.of(named, task);
      Task read =
          named.stage().flatMap(StartConfig::firstToken).map(task::beginningWith).orElse(task);
      return new TrainingRun(run, read, folder, point.orElse(null), stopRequested).advance(resume);
    }
  }

  /**
   * {@return the last checkpoint of a run that has come to its end, whose tensors are not read and
   * may have been deleted; empty if there is none}
   */
  public static Optional<Checkpoint> last(TrainingConfig config, Task task, Path output)
      throws IOException {
    Optional<Checkpoint> last = last(config, output);
    last.ifPresent(one -> requireEqual(one.folder(), one.run().data(), task.data()));
    return last;
  }

  /**
   * {@return the same on whatever data}
   *
   * @throws ConfigException if the folder has a run of another configuration
   */
  public static Optional<Checkpoint> last(TrainingConfig config, Path output) throws IOException {
    Optional<Path> newest = new RunFolder(output).newest();
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    Checkpoint last = Checkpoint.described(newest.get());
    requireEqual(last.folder(), last.run().config().resumedAs(config), config);
    return Optional.of(last).filter(one -> Trainer.isFinished(one.state(), config.training()));
  }

  /** {@return whether a folder has the last checkpoint of a training} */
  public static boolean isFinished(Path output) throws IOException {
    Optional<Path> newest = new RunFolder(output).newest();
    if (newest.isEmpty()) {
      return false;
    }
    Checkpoint last = Checkpoint.described(newest.get());
    return Trainer.isFinished(last.state(), last.run().config().training());
  }

  private Trainer.Result advance(boolean resume) throws IOException {
    LoopConfig loop = run.config().training();
    Optional<Checkpoint> newest = newest(folder);
    newest.ifPresent(checkpoint -> requireSame(checkpoint, run));
    long step = newest.map(checkpoint -> checkpoint.state().step()).orElse(0L);
    if (newest.isPresent() && Trainer.isFinished(newest.get().state(), loop)) {
      Path last = newest.get().folder();
      LOG.info("{} is already finished: {}", run.name(), last);
      return new Trainer.Result(last, step, true);
    }
    if (!resume) {
      requireUnbegun(folder, step);
    }
    Checkpoint from = newest.isPresent() || start == null ? newest.orElse(null) : start.at(run);
    int microBatch = loop.microBatch(Devices.listOf(loop.device()).size());
    LOG.debug("{}: micro-batches of {}", run.name(), microBatch);
    if (newest.isPresent()) {
      LOG.info("{} resumes after step {}", run.name(), step);
    }
    folder.prepare(
        CheckpointFolder.numBytes(run.model().numParameters()),
        checkpointsToCome(loop, step, folder.checkpoints().size()));
    try {
      return attempt(from);
    } catch (DivergenceException e) {
      Optional<Checkpoint> back = rolledBack(newest.orElse(null), e);
      if (back.isEmpty()) {
        throw e;
      }
      return attempt(back.get());
    }
  }

  /**
   * The most checkpoints that will be added to the folder. The kept ones, the best one and one that
   * is being written exist at the same time.
   */
  static long checkpointsToCome(LoopConfig config, long step, int numThere) {
    LoopConfig.Checkpoints checkpoint = config.checkpoint();
    long left = (config.steps() - step + checkpoint.interval() - 1) / checkpoint.interval();
    return Math.min(left, Math.max(1, checkpoint.keep() + 2 - numThere));
  }

  private Trainer.Result attempt(@Nullable Checkpoint from) throws IOException {
    RunOutput.Publication publication =
        RunOutput.Publication.into(
            folder, run, Optional.ofNullable(start).flatMap(StartingPoint::tokenizerFile));
    try (Trainer trainer = new Trainer(run, task, folder, from, publication)) {
      return train(trainer);
    }
  }

  /** The data is mapped already, so an IOException comes from writing. */
  private Trainer.Result train(Trainer trainer) {
    try {
      return trainer.train(stopRequested);
    } catch (IOException e) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder that stays writable until the run ends",
          e.toString(),
          "free some space, then resume with --resume: finished checkpoints are intact",
          e);
    }
  }

  /** The last checkpoint with a lower learning rate, or empty if the run may not roll back. */
  private Optional<Checkpoint> rolledBack(@Nullable Checkpoint from, DivergenceException divergence)
      throws IOException {
    LoopConfig.Guard guard = run.config().training().guard();
    boolean rolledBackBefore = from != null && from.state().guard().numRollBacks() > 0;
    if (guard.action() == LoopConfig.Guard.Action.STOP || rolledBackBefore) {
      return Optional.empty();
    }
    Optional<Checkpoint> newest = newest(folder);
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    Checkpoint last = newest.get();
    TrainState state = last.state().rolledBack(guard.learningRateFactor());
    LOG.warn(
        "step {}: {}; rolling back to step {} with {} times the learning rate",
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
    return Optional.of(last.with(state));
  }

  private static void requireOwn(RunFolder folder) throws IOException {
    if (Files.exists(folder.metrics()) || folder.newest().isPresent()) {
      return;
    }
    Optional<Path> foreign = folder.foreign();
    if (foreign.isPresent()) {
      throw new ConfigException(
          folder.path().toString(),
          "a new or empty folder, or the folder of a run",
          "other files, such as " + foreign.get().getFileName(),
          "use another folder");
    }
  }

  private static void requireUnbegun(RunFolder folder, long step) {
    if (step > 0) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "a run that was interrupted after step " + step,
          "add --resume to continue it, or use another folder");
    }
    if (Files.exists(folder.metrics())) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "a run that was interrupted before its first checkpoint",
          "add --resume to start it again, or use another folder");
    }
  }

  /** The checkpoint to resume from. A damaged checkpoint is an error; it is never skipped. */
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
              ? "there is no older one: remove " + folder.path() + " and start again"
              : "to resume from %s, remove %s".formatted(all.get(all.size() - 2), newest);
      throw new DataFormatException(
          newest.toString(),
          "an intact checkpoint to resume from",
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

  private static void requireEqual(Path path, Record stored, Record found) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<String> differences =
        Differences.between(mapper.valueToTree(stored), mapper.valueToTree(found));
    if (!differences.isEmpty()) {
      throw new ConfigException(
          path.toString(),
          "a checkpoint of the same configuration and data",
          "differences: " + String.join("; ", differences),
          "resume with the original configuration and data, or use another folder");
    }
  }
}
