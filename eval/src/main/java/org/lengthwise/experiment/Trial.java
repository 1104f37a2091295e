package org.lengthwise.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.TrialResult;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.DivergenceException;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;

/**
 * A trial of a random search: a training that is not measured. Trainings are below {@code trials}
 * in the output of the experiment, their results below {@code runs/search}, where reports find
 * them.
 *
 * @param run the name of the runs whose settings are searched
 * @param number from 1
 * @param settings the drawn settings
 */
record Trial(String run, int number, List<String> settings, TrainingConfig config) {
  private static final Logger LOG = LogManager.getLogger(Trial.class);

  /** The name in the experiment, such as {@code alibi-trial3}. */
  String name() {
    return config.name();
  }

  boolean isFinished(Path output) {
    return ArtifactFolder.isDone(results(output));
  }

  private Path folder(Path output) {
    return output.resolve("trials").resolve(name());
  }

  /** The folder of the result. */
  Path results(Path output) {
    return output.resolve("runs").resolve("search").resolve(name());
  }

  /**
   * Trains the trial and stores its result.
   *
   * @return whether it is finished; false if a stop was requested
   * @throws ConfigException if the folder has a trial with other settings
   */
  boolean complete(ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    Path folder = folder(output);
    Task task = Task.of(config, shards);
    if (isFinished(output)) {
      TrainingRun.last(config, task, folder); // requires the same data
      result(output);
      return true;
    }
    @Nullable Double loss;
    try {
      Trainer.Result trained = TrainingRun.advance(config, task, folder, true, stopRequested);
      if (!trained.isFinished()) {
        return false;
      }
      loss = Checkpoint.described(trained.checkpoint()).state().validationLoss();
    } catch (DivergenceException e) {
      LOG.warn("{} diverged, so it is not chosen: {}", name(), e.getMessage());
      loss = null;
    }
    TrialResult result = new TrialResult(run, number, settings, config.training().steps(), loss);
    ArtifactFolder.create(
        results(output), temporary -> ResultFile.TRIALS.write(temporary, List.of(result)));
    return true;
  }

  /**
   * The result of a finished trial.
   *
   * @throws ConfigException if it is that of another trial; also if its training, unless it was
   *     deleted, is of another configuration
   */
  TrialResult result(Path output) throws IOException {
    TrainingRun.last(config, folder(output));
    TrialResult stored = ResultFile.TRIALS.values(results(output)).get(0);
    long steps = config.training().steps();
    if (!stored.settings().equals(settings) || stored.steps() != steps) {
      throw new ConfigException(
          results(output).toString(),
          "a trial of %s steps with the settings %s".formatted(steps, String.join(", ", settings)),
          "%s steps, %s".formatted(stored.steps(), String.join(", ", stored.settings())),
          "use another output folder for another search");
    }
    return stored;
  }
}
