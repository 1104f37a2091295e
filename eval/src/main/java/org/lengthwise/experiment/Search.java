package org.lengthwise.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.ExperimentRun.Trained;
import org.lengthwise.result.TrialResult;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.StartingPoint;

/**
 * The search for the settings of the runs of one column in one block.
 *
 * @param column the configuration of these runs without a seed
 */
record Search(LayeredConfig column, List<Trial> trials) {
  private static final Logger LOG = LogManager.getLogger(Search.class);

  /**
   * The search of a column, whose trials have the seed of the search.
   *
   * @param column its configuration without a seed
   * @param seeds the seeds of its runs
   * @throws ConfigException if a run would repeat the chosen trial, or a drawn value is not allowed
   */
  static Search of(SearchConfig config, LayeredConfig column, List<Long> seeds) {
    if (seeds.contains(config.seed())) {
      throw new ConfigException(
          "experiment.search.seed",
          "a seed that no run has, because that run could repeat the chosen trial",
          "%s, and runs with the seeds %s".formatted(config.seed(), seeds),
          "change one of them");
    }
    String name = Column.name(column);
    LayeredConfig base = column.with(config.ofTrials()).with(List.of("seed=" + config.seed()));
    List<Trial> trials =
        IntStream.rangeClosed(1, config.trials())
            .mapToObj(
                number -> {
                  List<String> drawn = config.drawn(number);
                  return new Trial(name, number, drawn, trial(base, name, number, drawn));
                })
            .toList();
    return new Search(column, trials);
  }

  private static TrainingConfig trial(
      LayeredConfig base, String name, int number, List<String> drawn) {
    try {
      return StartingPoint.resolved(
          base.with("experiment.search.space", drawn)
              .with(List.of("name=%s-trial%s".formatted(name, number)))
              .bind(TrainingConfig.class));
    } catch (ConfigException e) {
      throw new ConfigException(
          "experiment.search.space, trial %s of %s".formatted(number, name),
          "settings that are allowed together",
          String.join(", ", drawn),
          "correct the space; only a list gives whole numbers. " + e.getMessage(),
          e);
    }
  }

  /**
   * A run with the settings of the chosen trial.
   *
   * @throws ConfigException if a trial is not finished, or all diverged
   */
  Trained chosen(long seed, Path output) throws IOException {
    List<TrialResult> results = new ArrayList<>();
    for (Trial trial : trials) {
      if (!trial.isFinished(output)) {
        throw new ConfigException(
            "search for the settings of " + trial.run(),
            "%s finished trials in %s".formatted(trials.size(), output),
            trial.name() + " is not finished",
            "complete the trials first, with --only, or all runs without --only");
      }
      results.add(trial.result(output));
    }
    TrialResult chosen =
        TrialResult.chosen(results)
            .orElseThrow(
                () ->
                    new ConfigException(
                        "search for the settings of " + trials.get(0).run(),
                        "a trial that does not diverge",
                        "%s that diverged".formatted(trials.size()),
                        "correct the key experiment.search.space, and use another output folder"));
    LOG.info(
        "{}: trial {} of {} has the lowest validation loss, {}: {}",
        chosen.run(),
        chosen.trial(),
        trials.size(),
        String.format(Locale.ROOT, "%.4f", chosen.loss()),
        String.join(", ", chosen.settings()));
    return new Trained(
        StartingPoint.resolved(
            column
                .with(chosen.settings())
                .with(List.of("seed=" + seed))
                .bind(TrainingConfig.class)));
  }
}
