package org.lengthwise.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.ExperimentRun.Trained;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.report.Report;
import org.lengthwise.report.ReportConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;

/**
 * An experiment, from its file to its report: every column is trained with every seed and measured.
 * A model of other software is a column that is only measured. Finished parts are skipped, so an
 * interrupted experiment resumes.
 */
public final class Experiment {
  private static final Logger LOG = LogManager.getLogger(Experiment.class);
  private static final String CPU = "cpu";

  /**
   * What completes the baselines where a run is named, and their folder beside those of the runs.
   */
  public static final String BASELINES = "baselines";

  private final ExperimentConfig config;
  private final Map<String, ExperimentRun> runs;
  private final Map<String, String> sources;
  private final Searches searches;
  private final NewPerplexities perplexities = new NewPerplexities();

  private Experiment(ExperimentConfig config, ExperimentFile.Runs file) {
    this.config = config;
    this.runs = file.runs();
    this.sources = file.sources();
    this.searches = Searches.of(file.searches());
  }

  /**
   * Reads an experiment file: a training configuration without a position, and a section {@code
   * experiment}. The keys of a block override those of the experiment file, and the keys of a
   * column override both. In each of them, keys override those of its files. The settings override
   * all but the values that only trials have. The folders of imported columns are not read.
   *
   * @param settings overrides, as {@code key.path=value}
   * @throws ConfigException if the file, a position file or a setting is wrong
   */
  public static Experiment load(Path file, List<String> settings) {
    LayeredConfig whole = ConfigLoader.load(file, settings);
    return load(file, whole, ExperimentConfig.of(whole), settings);
  }

  static Experiment load(
      Path file, LayeredConfig whole, ExperimentConfig config, List<String> settings) {
    return new Experiment(config, ExperimentFile.runs(file, whole, config, settings));
  }

  /**
   * Reads an experiment file whose runs and measurements all use one device.
   *
   * @param settings overrides, as {@code key.path=value}
   * @param device such as {@code gpu:0}; replaces every device of the file and the settings
   * @throws ConfigException if the file, a position file or a setting is wrong
   */
  public static Experiment load(Path file, List<String> settings, String device) {
    List<String> all = new ArrayList<>(settings);
    all.add("training.device=" + device);
    all.addAll(ExperimentConfig.onDevice(ConfigLoader.load(file, settings), device));
    return load(file, all);
  }

  /** {@return each run by its name, in the order of columns and then of seeds} */
  public Map<String, ExperimentRun> runs() {
    return Collections.unmodifiableMap(runs);
  }

  Searches searches() {
    return searches;
  }

  private List<TrainingConfig> trained() {
    return runs.values().stream()
        .flatMap(run -> run instanceof Trained trained ? Stream.of(trained.config()) : Stream.of())
        .toList();
  }

  /** The section, whose measurements know the training lengths of all runs, also imported ones. */
  private ExperimentConfig shared() {
    return config.among(runs.values());
  }

  /**
   * {@return the names of all trials, then of all runs, then {@link #BASELINES} if there are any}
   */
  public List<String> names() {
    return Stream.of(
            searches.trials().keySet().stream(),
            runs.keySet().stream(),
            config.ofBaselines().map(of -> BASELINES).stream())
        .flatMap(names -> names)
        .toList();
  }

  /**
   * {@return the checked names of trials and runs}
   *
   * @param names the names; {@link #BASELINES} is one if the experiment has any
   * @throws ConfigException if the experiment has no such run
   */
  public List<String> named(List<String> names) {
    names.stream().filter(this::isRun).forEach(this::run);
    return names;
  }

  /** {@return the names in groups: a group starts when the one before is finished} */
  public List<List<String>> inTurn(List<String> names) {
    return searches.inTurn(names, this::stage);
  }

  /** How many runs a run starts from, one from the other: 0 for a run from random weights. */
  private int stage(String name) {
    String source = sources.get(name);
    return source == null ? 0 : 1 + stage(source);
  }

  private boolean isRun(String name) {
    return !isBaselines(name) && !searches.isTrial(name);
  }

  private boolean isBaselines(String name) {
    return name.equals(BASELINES) && config.ofBaselines().isPresent();
  }

  /**
   * Checks that the shards exist if a run needs them, on whatever machine.
   *
   * @throws ConfigException if they are not a complete folder
   */
  public void requireData() {
    if (runs.values().stream().anyMatch(run -> run.task().isEmpty())) {
      try (ShardSource shards = new ShardSource(config.data())) {
        shards.folder();
      }
    }
  }

  /**
   * Checks that data and machine can serve every run, before the first run starts.
   *
   * @throws IOException if the data cannot be read
   * @throws ConfigException if a run cannot be trained or measured here
   */
  public void requireFeasible() throws IOException {
    try (ShardSource shards = new ShardSource(config.data())) {
      requireFeasible(shards);
    }
  }

  /**
   * Trains and measures runs, one after the other.
   *
   * @param names the names of the runs, in this order; {@link #BASELINES} measures the baselines
   * @param stopRequested read after each step and each batch: whether to stop
   * @return whether all runs are finished; false if a stop was requested
   */
  public boolean complete(List<String> names, Path output, BooleanSupplier stopRequested)
      throws IOException {
    try (ShardSource shards = new ShardSource(config.data())) {
      requireFeasible(shards);
      int number = 0;
      for (String name : names) {
        LOG.info("run {} of {}: {}", ++number, names.size(), name);
        if (!complete(name, shards, output, stopRequested)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean complete(
      String name, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    if (isBaselines(name)) {
      return completeBaselines(shards, output, stopRequested);
    }
    Trial trial = searches.trials().get(name);
    return trial != null
        ? trial.complete(shards, output, stopRequested)
        : measured(started(searches.chosen(run(name), output), output), output)
            .complete(shards, perplexities, stopRequested);
  }

  /** A run as it is trained: from the folder of its source if it is a second stage. */
  private ExperimentRun started(ExperimentRun run, Path output) {
    String source = sources.get(run.nameWithSeed());
    if (source == null || !(run instanceof Trained trained)) {
      return run;
    }
    Path folder = folder(output, source);
    if (!isFinished(source, output)) {
      throw new ConfigException(
          folder.toString(),
          "the finished run from which %s starts".formatted(run.nameWithSeed()),
          "a run that is not finished",
          "complete both, such as --only %s,%s".formatted(source, run.nameWithSeed()));
    }
    StartConfig start = trained.config().stage().orElseThrow();
    return new Trained(trained.config().startingAt(start.at(folder.toString())));
  }

  private boolean completeBaselines(ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    Path results = folder(output, BASELINES);
    try {
      baselines().measure(shards, results, stopRequested);
    } catch (CancellationException e) {
      LOG.info("baselines: stopped, the next attempt resumes");
      return false;
    }
    perplexities.in(results).forEach(LOG::info);
    return true;
  }

  private Baselines baselines() {
    List<Long> read =
        runs.values().stream()
            .filter(run -> run.isTrained() && run.task().isEmpty())
            .map(this::tokensRead)
            .filter(count -> count > 0)
            .toList();
    return new Baselines(shared(), runs.values(), read);
  }

  /** The tokens that a trained run reads, with those of its sources; 0 if unknown. */
  private long tokensRead(ExperimentRun run) {
    TrainingConfig training = ((Trained) run).config();
    if (training.stage().isEmpty()) {
      return training.numTokens();
    }
    String source = sources.get(run.nameWithSeed());
    long before = source == null ? training.stage().get().tokensBefore() : tokensRead(run(source));
    return before == 0 ? 0 : training.numTokens() + before;
  }

  /**
   * {@return the folder of the report}
   *
   * @throws ConfigException if it has files that are not those of a report
   */
  public static Path reportFolder(Path output) throws IOException {
    Path report = output.resolve("report");
    Report.requireOwn(report);
    return report;
  }

  /**
   * Writes the report on all runs and baselines, which must be finished.
   *
   * @param reporting the settings of the report
   */
  public Path report(Path output, ReportConfig reporting) throws IOException {
    Path report = reportFolder(output);
    Report.under(
            Stream.concat(
                    names().stream()
                        .filter(name -> !searches.isTrial(name))
                        .map(name -> folder(output, name)),
                    searches.results(output))
                .toList(),
            reporting.withShards(config.data()))
        .write(report);
    return report;
  }

  /**
   * Estimates the time of runs from a few steps and passes of each model. The runs of a column take
   * as long with each seed, and so do the trials of a search. A run that has begun counts whole.
   *
   * @param names the names of trials and runs; the baselines are not timed
   * @param observer gets the time of each column in each block as soon as it is known
   * @throws IOException if the data or a model cannot be read
   */
  public void estimate(List<String> names, Consumer<TimePlan.Times> observer) throws IOException {
    try (ShardSource shards = new ShardSource(config.data())) {
      requireFeasible(shards);
      TimePlan trainings = new TimePlan(List.of(), shards);
      for (List<ExperimentRun> trials : searches.trainings(names)) {
        observer.accept(trainings.of(trials));
      }
      TimePlan plan = new TimePlan(shared().ofRuns(), shards);
      plan.ofEach(names.stream().filter(this::isRun).map(this::run), observer);
    }
  }

  /** {@return whether the trials and the source that a run needs are finished} */
  public boolean canBegin(String name, Path output) {
    String source = sources.get(name);
    return !isRun(name)
        || (searches.areFinished(run(name), output)
            && (source == null || isFinished(source, output)));
  }

  /** {@return whether all runs are trained, each in one replica, and measured on the CPU} */
  public boolean isOnOneCpu() {
    return config.ofRuns().stream()
            .allMatch(measurement -> measurement.settings().device().equals(CPU))
        && trained().stream().allMatch(run -> run.training().device().equals(CPU));
  }

  /**
   * {@return an estimate of the memory that the largest run needs on a CPU, in bytes of tensors,
   * without the engine's own memory and the Java heap}
   *
   * @throws IOException if the data cannot be read
   */
  public long largestRunBytes() throws IOException {
    try (ShardSource shards = new ShardSource(config.data())) {
      MemoryPlan plan = new MemoryPlan(config, shards);
      Stream<ExperimentRun> trials =
          searches.trials().values().stream().map(trial -> new Trained(trial.config()));
      return Stream.concat(runs.values().stream(), trials).mapToLong(plan::bytes).max().orElse(0);
    }
  }

  /**
   * {@return whether a run is trained, unless it is imported, and all its measurements are
   * finished; or whether a trial is trained}
   *
   * @param name the name of the run or the trial, or {@link #BASELINES}
   */
  public boolean isFinished(String name, Path output) {
    if (isBaselines(name)) {
      return ArtifactFolder.isDone(folder(output, BASELINES));
    }
    Trial trial = searches.trials().get(name);
    return trial == null ? measured(run(name), output).isFinished() : trial.isFinished(output);
  }

  private MeasuredRun measured(ExperimentRun run, Path output) {
    return new MeasuredRun(run, shared().ofRun(run), folder(output, run.nameWithSeed()));
  }

  /**
   * Logs the perplexities of a run that other processes have measured since the last call.
   *
   * @param name the run's name, or {@link #BASELINES}
   * @throws IOException if results cannot be read
   */
  public void logNewPerplexities(String name, Path output) throws IOException {
    if (isBaselines(name)) {
      perplexities.in(folder(output, BASELINES)).forEach(LOG::info);
      return;
    }
    if (searches.isTrial(name)) {
      return;
    }
    MeasuredRun measured = measured(run(name), output);
    for (MeasurementConfig.OfRun measurement : measured.measurements()) {
      perplexities.in(measured.results(measurement)).forEach(LOG::info);
    }
  }

  private static Path folder(Path output, String name) {
    return output.resolve("runs").resolve(name);
  }

  private ExperimentRun run(String name) {
    ExperimentRun run = runs.get(name);
    if (run == null) {
      throw new ConfigException(
          "run " + name,
          "one of " + String.join(", ", names()),
          "none of this name",
          "name a column's run and seed, such as " + runs.keySet().iterator().next());
    }
    return run;
  }

  private void requireFeasible(ShardSource shards) {
    for (MeasurementConfig.OfRun measurement : shared().ofRuns()) {
      List<ExperimentRun> measured = runs.values().stream().filter(measurement::isOf).toList();
      // A measurement of no run says what it expects of one.
      (measured.isEmpty() ? runs.values() : measured)
          .stream()
              .filter(run -> run.isTrained() || measurement.suits(run))
              .forEach(run -> measurement.requireFeasible(run, shards));
      if (runs.values().stream().anyMatch(run -> run.task().isEmpty())) {
        measurement.requireFeasible(shards);
      }
    }
    trained().forEach(run -> Devices.listOf(run.training().device()));
    baselines().of(shards); // so a split that is too large is found before the first run
  }
}
