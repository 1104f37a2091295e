package org.lengthwise.eval.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.LayeredConfig;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.perplexity.Evaluation;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.receptivefield.ReceptiveField;
import org.lengthwise.eval.report.Report;
import org.lengthwise.eval.report.ReportConfig;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;

/**
 * A whole experiment, from its file to its report. Every part that is finished is left as it is, so
 * an experiment that was interrupted goes on where it was.
 */
public final class Experiment {
  private static final Logger LOG = LogManager.getLogger(Experiment.class);
  private static final String SECTION = "experiment";
  private static final String EVALUATION = "evaluation";
  private static final String FIELD = "receptive-field";

  private final ExperimentConfig config;
  private final Map<String, TrainingConfig> runs;

  private Experiment(ExperimentConfig config, Map<String, TrainingConfig> runs) {
    this.config = config;
    this.runs = runs;
  }

  /**
   * Reads an experiment file: a training configuration without a position, and a section {@code
   * experiment}. For each column its position file is laid over the file, for it names the scheme
   * and what belongs to it, and then the settings.
   *
   * @param file the experiment file
   * @param settings overrides, as {@code key.path=value}
   * @return the experiment
   * @throws ConfigException if the file, a position file or a setting is wrong
   */
  public static Experiment load(Path file, List<String> settings) {
    LayeredConfig whole = ConfigLoader.load(file, settings);
    ExperimentConfig config = whole.bind(SECTION, ExperimentConfig.class);
    List<String> training =
        settings.stream().filter(setting -> !setting.startsWith(SECTION + ".")).toList();
    Map<String, TrainingConfig> runs = new LinkedHashMap<>();
    for (String column : config.columns()) {
      LayeredConfig positioned =
          whole.without(SECTION).overlay(file.resolveSibling(column)).with(training);
      for (long seed : config.seeds()) {
        TrainingConfig run = positioned.with(List.of("seed=" + seed)).bind(TrainingConfig.class);
        String name = run.name() + "-seed" + seed;
        if (runs.put(name, run) != null) {
          throw new ConfigException(
              file.toString(),
              "columns with different names",
              "two named " + run.name(),
              "give one of the position files another name");
        }
      }
    }
    return new Experiment(config, runs);
  }

  /**
   * What the experiment consists of.
   *
   * @return the configuration of each run by its name, in the order of columns and then of seeds
   */
  public Map<String, TrainingConfig> runs() {
    return Collections.unmodifiableMap(runs);
  }

  /**
   * The runs that a user names.
   *
   * @param names names of runs
   * @return the same
   * @throws ConfigException if the experiment has no such run
   */
  public List<String> named(List<String> names) {
    names.forEach(this::run);
    return names;
  }

  /**
   * Checks that the data and this machine can serve every run, before hours are spent on one.
   *
   * @throws IOException if the data cannot be read
   * @throws ConfigException if a run cannot be trained or measured here
   */
  public void requireFeasible() throws IOException {
    try (ShardFolder shards = ShardFolder.open(config.data())) {
      requireFeasible(shards);
    }
  }

  /**
   * Brings runs to their ends and measures them, one after the other.
   *
   * @param names which, in this order
   * @param output the experiment's folder
   * @param stopRequested asked again and again whether to stop, with nothing lost
   * @return whether all are finished; if not, stopping was asked for
   * @throws IOException if a file cannot be read or written
   */
  public boolean complete(List<String> names, Path output, BooleanSupplier stopRequested)
      throws IOException {
    try (ShardFolder shards = ShardFolder.open(config.data())) {
      requireFeasible(shards);
      int number = 0;
      for (String name : names) {
        LOG.info("run {} of {}: {}", ++number, names.size(), name);
        if (!complete(run(name), shards, folder(output, name), stopRequested)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Writes the report on all runs.
   *
   * @param output the experiment's folder, in which every run is finished
   * @param reporting what decides its conclusions
   * @return the report's folder
   * @throws IOException if a file cannot be read or written
   */
  public Path report(Path output, ReportConfig reporting) throws IOException {
    Path report = output.resolve("report");
    Report.under(runs.keySet().stream().map(name -> folder(output, name)).toList(), reporting)
        .write(report);
    return report;
  }

  /**
   * Whether a run is trained and measured.
   *
   * @param name its name
   * @param output the experiment's folder
   * @return whether nothing is left to do
   */
  public boolean isFinished(String name, Path output) {
    Path folder = folder(output, name);
    return ArtifactFolder.isDone(folder.resolve(EVALUATION))
        && (!hasReceptiveField(run(name)) || ArtifactFolder.isDone(folder.resolve(FIELD)));
  }

  private static Path folder(Path output, String name) {
    return output.resolve("runs").resolve(name);
  }

  private TrainingConfig run(String name) {
    TrainingConfig run = runs.get(name);
    if (run == null) {
      throw new ConfigException(
          "run " + name,
          "one of " + String.join(", ", runs.keySet()),
          "none of this name",
          "name a column's run and seed, such as " + runs.keySet().iterator().next());
    }
    return run;
  }

  private void requireFeasible(ShardFolder shards) {
    evaluation().requireFeasible(shards);
    receptiveField().requireFeasible(shards);
    for (TrainingConfig run : runs.values()) {
      evaluation().requireFeasible(run.name(), run.position());
      Devices.listOf(run.training().device());
    }
  }

  private Evaluation evaluation() {
    return new Evaluation(config.evaluation(), config.lengths());
  }

  private ReceptiveField receptiveField() {
    return new ReceptiveField(config.receptiveField().lengths(), config.receptiveField().samples());
  }

  private boolean complete(
      TrainingConfig run, ShardFolder shards, Path folder, BooleanSupplier stopRequested)
      throws IOException {
    Trainer.Outcome trained = TrainingRun.advance(run, shards, folder, true, stopRequested);
    if (!trained.isFinished()) {
      return false;
    }
    Checkpoint checkpoint = Checkpoint.open(trained.checkpoint());
    try {
      evaluation().run(List.of(checkpoint), shards, folder.resolve(EVALUATION), stopRequested);
      measureReceptiveField(run, checkpoint, shards, folder.resolve(FIELD), stopRequested);
    } catch (CancellationException e) {
      LOG.info("{}: what is not measured yet is left for the next attempt", run.name());
      return false;
    }
    return true;
  }

  /** Under the first scaling alone, and not where the scheme can read none of the lengths. */
  private void measureReceptiveField(
      TrainingConfig run,
      Checkpoint checkpoint,
      ShardFolder shards,
      Path folder,
      BooleanSupplier stopRequested)
      throws IOException {
    if (!hasReceptiveField(run)) {
      LOG.warn(
          "{} cannot read {} positions: no receptive field",
          run.name(),
          Collections.min(config.receptiveField().lengths()));
      return;
    }
    EvaluationConfig all = config.evaluation();
    PositionScaling first =
        MeasuredModel.scalings(run.name(), run.position(), all.positionScaling()).get(0);
    receptiveField().run(List.of(checkpoint), shards, all.with(first), folder, stopRequested);
  }

  private boolean hasReceptiveField(TrainingConfig run) {
    return Collections.min(config.receptiveField().lengths()) <= run.position().longestLength();
  }
}
