package org.lengthwise.eval.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.LayeredConfig;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.eval.perplexity.Evaluation;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.receptivefield.ReceptiveField;
import org.lengthwise.eval.report.Report;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.loop.TrainingRun;

/**
 * A whole experiment, from its file to its report. Every part that is finished is left as it is, so
 * an experiment that was interrupted goes on where it was.
 */
public final class Experiment {
  private static final Logger LOG = LogManager.getLogger(Experiment.class);
  private static final String SECTION = "experiment";

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
   * Brings every run to its end, measures it, and writes the report.
   *
   * @param output the experiment's folder
   * @return the report's folder
   * @throws IOException if a file cannot be read or written
   */
  public Path complete(Path output) throws IOException {
    List<Path> folders = new ArrayList<>();
    try (ShardFolder shards = ShardFolder.open(config.data())) {
      requireFeasible(shards);
      int number = 0;
      for (Map.Entry<String, TrainingConfig> run : runs.entrySet()) {
        LOG.info("run {} of {}: {}", ++number, runs.size(), run.getKey());
        Path folder = output.resolve("runs").resolve(run.getKey());
        complete(run.getValue(), shards, folder);
        folders.add(folder);
      }
    }
    Path report = output.resolve("report");
    Report.under(folders).write(report);
    return report;
  }

  /** What cannot work is said before hours of training, not after. */
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

  private void complete(TrainingConfig run, ShardFolder shards, Path folder) throws IOException {
    Checkpoint checkpoint = Checkpoint.open(TrainingRun.complete(run, shards, folder, true));
    evaluation().run(List.of(checkpoint), shards, folder.resolve("evaluation"));
    measureReceptiveField(run, checkpoint, shards, folder.resolve("receptive-field"));
  }

  /** Under the first scaling alone, and not where the scheme can read none of the lengths. */
  private void measureReceptiveField(
      TrainingConfig run, Checkpoint checkpoint, ShardFolder shards, Path folder)
      throws IOException {
    int shortest = Collections.min(config.receptiveField().lengths());
    if (shortest > run.position().longestLength()) {
      LOG.warn("{} cannot read {} positions: no receptive field", run.name(), shortest);
      return;
    }
    EvaluationConfig all = config.evaluation();
    PositionScaling first =
        MeasuredModel.scalings(run.name(), run.position(), all.positionScaling()).get(0);
    receptiveField().run(List.of(checkpoint), shards, all.with(first), folder);
  }
}
