package org.lengthwise.experiment;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.ExperimentRun.Imported;
import org.lengthwise.measure.ExperimentRun.Trained;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.result.ModelState;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.replica.ReplicaGroup;
import org.lengthwise.training.replica.ReplicaGroup.StepObserver;

/**
 * The time of runs before they start: a few steps and a few passes of each model are timed here,
 * with random tokens in the passes, and multiplied by their numbers.
 */
public final class TimePlan {
  /** For all steps, and for all passes of a measurement. */
  private static final double LEAST_SECONDS = 0.5;

  /** Measurements read larger batches, which take little less time for each token. */
  private static final int MOST_TOKENS = 8192;

  private static final double NANOS_PER_SECOND = 1e9;

  private final List<MeasurementConfig.OfRun> measurements;
  private final ShardSource shards;

  /**
   * A plan.
   *
   * @param measurements the measurements of the experiment
   * @param shards its data; left closed if no run is on a text
   */
  TimePlan(List<MeasurementConfig.OfRun> measurements, ShardSource shards) {
    this.measurements = measurements;
    this.shards = shards;
  }

  /**
   * The time of the runs of a column in a block, which differ in the seed.
   *
   * @param training the seconds of all steps and validations of one of them; 0 for an imported
   *     model
   * @param measuring the seconds of all measurements of one of them
   */
  public record Times(String name, int numRuns, double training, double measuring) {
    /** {@return the seconds of all of them, one after the other} */
    public double seconds() {
      return numRuns * (training + measuring);
    }
  }

  /**
   * {@return the time of runs on the devices of the experiment}
   *
   * @param runs runs that differ in the seed only
   * @throws IOException if a model cannot be read
   */
  Times of(List<ExperimentRun> runs) throws IOException {
    return runs.get(0) instanceof Trained trained
        ? ofTrained(trained, runs.size())
        : ofImported((Imported) runs.get(0), runs.size());
  }

  /**
   * Estimates the runs of each name together.
   *
   * @param observer receives the times of one name after the other
   */
  void ofEach(Stream<ExperimentRun> runs, Consumer<Times> observer) throws IOException {
    Map<String, List<ExperimentRun>> byName =
        runs.collect(groupingBy(ExperimentRun::name, LinkedHashMap::new, toList()));
    for (List<ExperimentRun> seeds : byName.values()) {
      observer.accept(of(seeds));
    }
  }

  private Times ofImported(Imported run, int numRuns) throws IOException {
    double measuring = 0;
    for (MeasurementConfig.OfRun measurement : measurementsOf(run)) {
      MeasuredModel model = new MeasuredModel(run.checkpoint(), PositionChange.NONE);
      MeasurementSettings settings = measurement.settings();
      try (LoadedModel loaded =
          LoadedModel.of(model, ModelState.TRAINED, settings.precision(), settings.device())) {
        measuring += secondsOfMeasurement(loaded.model(), measurement, run);
      }
    }
    return new Times(run.name(), numRuns, 0, measuring);
  }

  private Times ofTrained(Trained run, int numRuns) throws IOException {
    TrainingConfig config = run.config();
    Task task = Task.of(config, shards);
    try (ReplicaGroup group =
        new ReplicaGroup(
            RunDescription.of(config, task),
            task::loss,
            null,
            Devices.listOf(config.training().device()))) {
      Weights weights = group.first().weights();
      double measuring = 0;
      for (MeasurementConfig.OfRun measurement : measurementsOf(run)) {
        try (LanguageModel model =
            LanguageModel.of(
                group.first().model().config(), weights, measurement.settings().precision())) {
          measuring += secondsOfMeasurement(model, measurement, run);
        }
      }
      return new Times(run.name(), numRuns, secondsOfTraining(config, task, group), measuring);
    }
  }

  private List<MeasurementConfig.OfRun> measurementsOf(ExperimentRun run) {
    return measurements.stream().filter(one -> one.isOf(run) && one.suits(run)).toList();
  }

  /** Steps, each of another length if the task draws it, and the passes of validations. */
  private static double secondsOfTraining(TrainingConfig config, Task task, ReplicaGroup group) {
    LoopConfig loop = config.training();
    int micro = loop.microBatch(group.size());
    long[] number = {0};
    double step =
        meanSeconds(
            LEAST_SECONDS,
            () -> {
              long first = number[0]++ * loop.batch();
              List<Samples> micros =
                  IntStream.range(0, loop.batch() / micro)
                      .mapToObj(i -> task.training(first + (long) i * micro, micro))
                      .toList();
              group.step(
                  micros, number[0], config.optimizer().learningRate(), new StepObserver() {});
            });
    int interval = loop.validation().interval();
    long validations = 1 + (loop.steps() + interval - 1L) / interval;
    Pass pass = new Pass(loop.length(), validations * task.numValidationSamples(), false);
    Device device = group.first().weights().device();
    return step * loop.steps()
        + secondsOfPass(group.first().model(), device, pass, micro, LEAST_SECONDS);
  }

  private static double secondsOfMeasurement(
      LanguageModel model, MeasurementConfig.OfRun measurement, ExperimentRun run) {
    Device device = Devices.of(measurement.settings().device());
    BatchPlan plan =
        BatchPlan.on(model.config(), measurement.settings().memoryLimitMegabytes(), device);
    List<Pass> passes =
        measurement.passes(run).stream()
            .filter(pass -> pass.length() <= run.position().lengths().longest())
            .toList();
    return passes.stream()
        .mapToDouble(
            pass -> {
              int most = plan.forwardSequences(pass.length(), pass.lastOnly());
              return secondsOfPass(model, device, pass, most, LEAST_SECONDS / passes.size());
            })
        .sum();
  }

  /** Hidden states and the negative log-likelihoods of targets, as measurements compute them. */
  private static double secondsOfPass(
      LanguageModel model, Device device, Pass pass, int most, double leastSeconds) {
    int length = pass.length();
    int batch = (int) Math.min(pass.sequences(), Math.min(most, Math.max(1, MOST_TOKENS / length)));
    Random random = new Random(0);
    long[] tokens = random.longs((long) batch * length, 0, model.config().vocabulary()).toArray();
    double seconds =
        meanSeconds(
            leastSeconds,
            () -> {
              try (NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
                NDArray tokens_BT = manager.create(tokens, new Shape(batch, length));
                NDArray embedded_BTd = model.embed(tokens_BT);
                NDArray x_Nd =
                    pass.lastOnly()
                        ? model.lastHidden(embedded_BTd)
                        : model.hidden(embedded_BTd).reshape(-1, model.config().width());
                NDArray targets_N =
                    manager.zeros(new Shape(x_Nd.getShape().get(0)), DataType.INT64);
                model.nll(x_Nd, targets_N).sum().getFloat(); // waits for the device
              }
            });
    return seconds * pass.sequences() / batch;
  }

  /** The mean over as many repetitions as take a while, after one that is not timed. */
  private static double meanSeconds(double leastSeconds, Runnable job) {
    job.run();
    long start = System.nanoTime();
    int count = 0;
    double seconds;
    do {
      job.run();
      count++;
      seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    } while (seconds < leastSeconds);
    return seconds / count;
  }
}
