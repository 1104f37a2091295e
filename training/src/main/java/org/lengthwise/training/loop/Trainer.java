package org.lengthwise.training.loop;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.data.BatchReader;
import org.lengthwise.training.data.TrainingData;
import org.lengthwise.training.data.WindowOrder;
import org.lengthwise.training.data.Windows;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.device.PeakThroughput;
import org.lengthwise.training.optimizer.LearningRateSchedule;
import org.lengthwise.training.replica.OpenResources;
import org.lengthwise.training.replica.ReplicaGroup;

/**
 * One training run on one device or several, from its first step or from a checkpoint to its last
 * step.
 *
 * <p>A step reads its batch at the cursor, accumulates gradients over micro-batches, clips them by
 * global norm and updates the weights. On a CPU with the same number of threads, a run that was
 * interrupted and resumed ends with the same bits as one that was not.
 */
public final class Trainer implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(Trainer.class);

  private static final String GO_BACK =
      "to go back to it once and on with lower learning rates, add"
          + " --resume --set training.guard.action=roll-back"
          + " (training.guard.learning_rate_factor says how much lower)";
  private static final String BEGIN_ANEW =
      "begin again in another folder, with a lower optimizer.learning_rate or optimizer.clip_norm";

  private final RunDescription run;
  private final RunFolder folder;
  private final LoopConfig config;
  private final LearningRateSchedule schedule;
  private final DivergenceGuard guard;
  private final Windows windows;
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
  private StepTimer.Pace pace = new StepTimer.Pace(0, 0, 0, 0, 0);

  /**
   * Prepares a run.
   *
   * @param run what to train, on which data
   * @param folder where checkpoints and metrics go
   * @param data its tokens, kept open by the caller
   * @param from the checkpoint to go on from, or null to begin
   * @throws IOException if the checkpoint cannot be read
   */
  public Trainer(RunDescription run, RunFolder folder, TrainingData data, @Nullable Checkpoint from)
      throws IOException {
    this(run, folder, data, from, RunOutput.Publication.into(folder, run));
  }

  Trainer(
      RunDescription run,
      RunFolder folder,
      TrainingData data,
      @Nullable Checkpoint from,
      RunOutput.Publication publication)
      throws IOException {
    this.run = run;
    this.folder = folder;
    this.config = run.config().training();
    this.windows = new Windows(data.train(), config.length(), "train");
    this.validator =
        new Validator(new Windows(data.validation(), config.length(), "validation"), config);
    this.schedule = LearningRateSchedule.of(run.config().optimizer(), config.steps());
    this.guard = new DivergenceGuard(config.guard());
    this.state = from == null ? TrainState.initial(run.config().seed()) : from.state();
    List<Device> devices = Devices.listOf(config.device());
    int microBatch = config.microBatch(devices.size());
    this.peakFlops = peak(devices, config.precision());
    ReplicaGroup group = new ReplicaGroup(run, from, devices);
    this.replicas = resources.add(group, group::close);
    Snapshot room = new Snapshot(group.first().weights(), group.first().optimizer());
    this.snapshot = resources.add(room, room::close);
    this.publication = publication;
    WindowOrder order =
        new WindowOrder(windows.numWindows(), new RandomStreams(run.config().seed()));
    BatchReader ahead = new BatchReader(windows, order, config.batch(), microBatch, state.cursor());
    this.reader = resources.add(ahead, ahead::close);
  }

  /**
   * Checks what a run needs of the machine and of the data, and writes nothing.
   *
   * @throws ConfigException if a device is missing, or the batch cannot be shared
   * @throws DataFormatException if a split is shorter than a window
   */
  static void requireFeasible(LoopConfig config, TrainingData data) {
    int numReplicas = Devices.listOf(config.device()).size();
    int microBatch = config.microBatch(numReplicas);
    long trained = new Windows(data.train(), config.length(), "train").numWindows();
    long validated = new Windows(data.validation(), config.length(), "validation").numWindows();
    LOG.debug(
        "{} replicas, {} sequences at a time, {} windows to train on and {} to validate on",
        numReplicas,
        microBatch,
        trained,
        validated);
  }

  private static OptionalDouble peak(List<Device> devices, Precision precision) {
    OptionalDouble one = PeakThroughput.flopsPerSecond(devices.get(0), precision);
    return one.isEmpty() ? one : OptionalDouble.of(devices.size() * one.getAsDouble());
  }

  /**
   * Trains until the last step, or until asked to stop, writing metrics, checkpoints and, at the
   * end, the last checkpoint.
   *
   * @param stopRequested asked after each step whether the run shall end there
   * @return how far it came
   * @throws IOException if a file cannot be written
   * @throws DivergenceException if a loss or gradient shows that the run diverges
   */
  public Outcome train(BooleanSupplier stopRequested) throws IOException {
    LOG.info(
        "{}: {} parameters, {} executed layers, {} steps of {} x {} tokens, {} windows an epoch",
        run.config().name(),
        run.model().numParameters(),
        run.model().executedLayers(config.length()),
        config.steps(),
        config.batch(),
        config.length(),
        windows.numWindows());
    long before = state.step(); // the rate and the time left are those of this attempt
    MetricsFile metrics = MetricsFile.resume(folder, state, config.tensorboard());
    try (RunOutput output = new RunOutput(folder, metrics, snapshot, publication);
        Progress progress =
            ProgressReporter.start(
                "train " + run.config().name(), "steps", config.steps() - before)) {
      if (state.step() == 0) {
        output.write(validate());
      }
      boolean stopped = false;
      while (state.step() < config.steps() && !stopped) {
        output.requireNoFailure();
        step(output);
        stopped = stopRequested.getAsBoolean();
        if (isDue(config.validation().interval())) {
          output.write(validate());
        }
        if (isDue(config.checkpoint().interval()) || stopped) {
          checkpoint(output);
        }
        progress.message("loss %.3f, %,.0f tokens/s".formatted(lastLoss, pace.tokensPerSecond()));
        progress.advanceTo(state.step() - before);
      }
      output.await();
    }
    return new Outcome(
        folder.checkpoint(state.step()), state.step(), state.step() == config.steps());
  }

  private boolean isDue(int interval) {
    return state.step() % interval == 0 || state.step() == config.steps();
  }

  private void step(RunOutput output) throws IOException {
    timer.start();
    double rate = schedule.at(state.step()) * state.guard().learningRateFactor();
    double loss = replicas.accumulate(timer.waitFor(() -> reader.take(state.cursor())));
    Optional<String> objection = guard.objection(state.guard(), loss);
    if (objection.isPresent()) {
      throw divergence(output, objection.get(), rate);
    }
    timer.exchange(replicas::exchange);
    float norm = replicas.clip();
    if (!Float.isFinite(norm)) {
      throw divergence(output, "the gradient norm is " + norm, rate);
    }
    replicas.update(state.step() + 1, rate);
    state = state.next(config.batch(), config.length(), guard.next(state.guard(), loss));
    lastLoss = loss;
    timer.stop((long) config.batch() * config.length());
    if (isDue(config.metricsInterval())) {
      output.write(training(loss, rate, norm));
    }
  }

  private Metrics.Training training(double loss, double rate, float norm) {
    pace = timer.takePace();
    double flops = pace.tokensPerSecond() * run.model().flopsPerToken(config.length());
    return new Metrics.Training(
        state.step(),
        state.tokens(),
        loss,
        rate,
        norm,
        pace.tokensPerSecond(),
        peakFlops.isEmpty() ? null : flops / peakFlops.getAsDouble(),
        pace.stepSeconds(),
        pace.dataWaitSeconds(),
        pace.exchangeSeconds(),
        pace.checkpointWaitSeconds());
  }

  private DivergenceException divergence(RunOutput output, String what, double rate)
      throws IOException {
    Optional<Path> lastGood = output.newest();
    return new DivergenceException(
        state.step() + 1,
        String.format(Locale.ROOT, "%s, at learning rate %.4g", what, rate),
        lastGood.map(Path::toString).orElse("none: there was none yet"),
        mayGoBack(lastGood.isPresent()) ? GO_BACK : BEGIN_ANEW);
  }

  /** Whether this run would go back if it were told to. */
  private boolean mayGoBack(boolean hasCheckpoint) {
    return hasCheckpoint
        && config.guard().action() == LoopConfig.Guard.Action.STOP
        && state.guard().numRollBacks() == 0;
  }

  private Metrics.Validation validate() {
    replicas.requireInStep();
    double loss = validator.loss(replicas);
    state = state.validated(loss);
    return new Metrics.Validation(state.step(), state.tokens(), loss, validator.numTokens());
  }

  private void checkpoint(RunOutput output) throws IOException {
    replicas.requireInStep();
    timer.checkpoint(() -> output.checkpoint(state));
  }

  /** The copies of the model, which must all be in step whenever they are looked at. */
  ReplicaGroup replicas() {
    return replicas;
  }

  @Override
  public void close() {
    resources.close();
  }

  /**
   * How far a run came.
   *
   * @param checkpoint its last checkpoint's folder
   * @param step finished steps
   * @param isFinished whether that was the last step
   */
  public record Outcome(Path checkpoint, long step, boolean isFinished) {}
}
