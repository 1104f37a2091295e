package org.lengthwise.training.loop;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.model.Weights;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.device.PeakThroughput;
import org.lengthwise.training.optimizer.LearningRateSchedule;
import org.lengthwise.training.optimizer.TableReach;
import org.lengthwise.training.replica.OpenResources;
import org.lengthwise.training.replica.ReplicaGroup;
import org.lengthwise.training.replica.ReplicaGroup.StepObserver;
import org.lengthwise.training.replica.ReplicaGroup.StepResult;

/**
 * One training run, from its first step or from a checkpoint to its last step, on one or more
 * devices.
 *
 * <p>A step reads its batch at the cursor, accumulates gradients over micro-batches, clips them by
 * global norm and updates the weights. On a CPU with the same number of threads, a resumed run ends
 * with the same bits as a run without interruption.
 */
public final class Trainer implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(Trainer.class);

  private static final String ROLL_BACK =
      "to return to this checkpoint once and continue with lower learning rates, add"
          + " --resume --set training.guard.action=roll-back"
          + " (training.guard.learning_rate_factor is the factor)";
  private static final String START_AGAIN =
      "start again in another folder, with a lower optimizer.learning_rate or optimizer.clip_norm";

  private final RunDescription run;
  private final RunFolder folder;
  private final LoopConfig config;
  private final LearningRateSchedule schedule;
  private final Task task;
  private final BatchReader reader;
  private final Validator validator;
  private final StepTimer timer = new StepTimer(System::nanoTime);
  private final OptionalDouble peakFlops;
  private final OpenResources resources = new OpenResources();
  private final ReplicaGroup replicas;
  private final Snapshot snapshot;
  private final RunOutput.Publication publication;
  private TrainState state;
  private double lastLoss = Double.NaN;

  /**
   * Prepares a run.
   *
   * @param task the task to learn; its data is kept open by the caller
   * @param from the checkpoint to resume from, or null to begin
   */
  public Trainer(RunDescription run, Task task, RunFolder folder, @Nullable Checkpoint from)
      throws IOException {
    this(run, task, folder, from, RunOutput.Publication.into(folder, run, Optional.empty()));
  }

  Trainer(
      RunDescription run,
      Task task,
      RunFolder folder,
      @Nullable Checkpoint from,
      RunOutput.Publication publication)
      throws IOException {
    this.run = run;
    this.folder = folder;
    this.config = run.config().training();
    this.task = task;
    this.schedule = LearningRateSchedule.of(run.config().optimizer(), config.steps());
    this.state = from == null ? TrainState.initial(run.config().seed()) : from.state();
    List<Device> devices = Devices.listOf(config.device());
    int microBatch = config.microBatch(devices.size());
    this.validator = new Validator(task, microBatch);
    this.peakFlops = peak(config, devices.size());
    ReplicaGroup group = new ReplicaGroup(run, task::loss, from, devices);
    this.replicas = resources.add(group, group::close);
    Snapshot room =
        new Snapshot(group.first().weights(), group.first().optimizer(), group.states());
    this.snapshot = resources.add(room, room::close);
    this.publication = publication;
    BatchReader ahead = new BatchReader(task, config.batch(), microBatch, state.cursor());
    this.reader = resources.add(ahead, ahead::close);
  }

  private static OptionalDouble peak(LoopConfig config, int numReplicas) {
    OptionalDouble one = PeakThroughput.flopsPerSecond(config);
    return one.isEmpty() ? one : OptionalDouble.of(numReplicas * one.getAsDouble());
  }

  /**
   * Trains until the last step or until a stop is requested. Writes metrics and checkpoints, the
   * last checkpoint at the end.
   *
   * @param stopRequested called after each step; true ends the run there
   */
  public Result train(BooleanSupplier stopRequested) throws IOException {
    LOG.info(
        "{}: parameters {}, executed layers {}, steps {} of {} x {} tokens, samples per epoch {}",
        run.config().name(),
        run.model().numParameters(),
        run.model().executedLayers(config.length()),
        config.steps(),
        config.batch(),
        run.config().lengthText(),
        epoch(task.samplesPerEpoch()));
    run.tableReach().flatMap(TableReach::warning).ifPresent(LOG::warn);
    run.config().warning().ifPresent(LOG::warn);
    TrainState before = state; // rates and the time left are those of this attempt
    MetricsFile metrics = MetricsFile.resume(folder, state, config.tensorboard());
    try (RunOutput output = new RunOutput(folder, metrics, snapshot, publication);
        Progress progress =
            ProgressReporter.startSteps(
                "train " + run.config().name(),
                config.steps() - before.step(),
                Math.round(run.config().tokensPerStep()))) {
      if (state.step() == 0) {
        output.write(validate());
        if (isFinished(state, config)) {
          checkpoint(output);
        }
      }
      boolean stopped = false;
      while (!isFinished(state, config) && !stopped) {
        output.requireNoFailure();
        step(output);
        stopped = stopRequested.getAsBoolean();
        if (isDue(config.validation().interval())) {
          output.write(validate());
        }
        if (isDue(config.checkpoint().interval()) || stopped || isFinished(state, config)) {
          checkpoint(output);
        }
        progress.message(String.format(Locale.ROOT, "loss %.3f", lastLoss));
        progress.advanceTo(state.step() - before.step());
      }
      output.await();
    }
    return new Result(folder.checkpoint(state.step()), state.step(), isFinished(state, config));
  }

  /** Whether a run has taken its last step: the last of all, or the one that learned its task. */
  static boolean isFinished(TrainState state, LoopConfig config) {
    return state.step() == config.steps()
        || (config.stopWhenLearned() && state.learnedAt() != null);
  }

  private static String epoch(OptionalLong samples) {
    return samples.isPresent() ? Long.toString(samples.getAsLong()) : "unlimited";
  }

  private boolean isDue(int interval) {
    return state.step() % interval == 0 || state.step() == config.steps();
  }

  private void step(RunOutput output) throws IOException {
    timer.start();
    double rate = schedule.at(state.step()) * state.guard().learningRateFactor();
    List<Samples> micros = timer.waitFor(() -> reader.take(state.cursor()));
    StepResult result = replicas.step(micros, state.step() + 1, rate, new Observer());
    if (result.objection().isPresent()) {
      throw divergence(output, result.objection().get(), rate);
    }
    long tokens = micros.stream().mapToLong(Samples::numTokens).sum();
    GuardState watched = state.guard().next(result.loss(), config.guard().window());
    state = state.next(config.batch(), tokens, watched);
    lastLoss = result.loss();
    timer.stop(tokens);
    if (isDue(config.metricsInterval())) {
      output.write(training(result, rate));
    }
  }

  /** Checks the loss of a step and times the exchange between replicas. */
  private final class Observer implements StepObserver {
    @Override
    public Optional<String> objection(double loss) {
      return state.guard().objection(config.guard(), loss);
    }

    @Override
    public void exchange(Runnable exchange) {
      timer.exchange(exchange);
    }
  }

  private Metrics.Training training(StepResult result, double rate) {
    StepTimer.Pace pace = timer.takePace();
    double flops = pace.tokensPerSecond() * run.config().flopsPerToken(run.model());
    return new Metrics.Training(
        state.step(),
        state.tokens(),
        result.loss(),
        rate,
        result.gradientNorm(),
        pace.tokensPerSecond(),
        peakFlops.isEmpty() ? null : flops / peakFlops.getAsDouble(),
        pace.stepSeconds(),
        pace.dataWaitSeconds(),
        pace.exchangeSeconds(),
        pace.checkpointWaitSeconds(),
        biasRange());
  }

  private @Nullable Double biasRange() {
    Weights weights = replicas.first().weights();
    OptionalDouble smallest =
        weights.layout().stream()
            .filter(spec -> spec.table().isPresent())
            .flatMapToDouble(spec -> spec.biasRanges(weights.get(spec.name()).toFloatArray()))
            .min();
    return smallest.isPresent() ? smallest.getAsDouble() : null;
  }

  private DivergenceException divergence(RunOutput output, String what, double rate)
      throws IOException {
    Optional<Path> lastGood = output.newest();
    return new DivergenceException(
        state.step() + 1,
        String.format(Locale.ROOT, "%s, at learning rate %.4g", what, rate),
        lastGood.map(Path::toString).orElse("none, since no checkpoint was written yet"),
        mayRollBack(lastGood.isPresent()) ? ROLL_BACK : START_AGAIN);
  }

  /** Whether the option for a roll-back would help this run. */
  private boolean mayRollBack(boolean hasCheckpoint) {
    return hasCheckpoint
        && config.guard().action() == LoopConfig.Guard.Action.STOP
        && state.guard().numRollBacks() == 0;
  }

  private Metrics.Validation validate() {
    replicas.requireInStep();
    long start = System.nanoTime();
    Validator.Scores scores = validator.score(replicas);
    double seconds = (System.nanoTime() - start) / 1e9;
    Task.Score all = scores.all();
    state = state.validated(all.mean(), task.isLearned(all, scores.last()));
    return new Metrics.Validation(
        state.step(),
        state.tokens(),
        task.metric(),
        all.mean(),
        all.count(),
        all.strings() == 0 ? null : (double) all.wrongStrings() / all.strings(),
        seconds);
  }

  private void checkpoint(RunOutput output) throws IOException {
    replicas.requireInStep();
    timer.checkpoint(() -> output.checkpoint(state));
  }

  ReplicaGroup replicas() {
    return replicas;
  }

  @Override
  public void close() {
    resources.close();
  }

  /** The progress of a run when training ended. */
  public record Result(Path checkpoint, long step, boolean isFinished) {}
}
