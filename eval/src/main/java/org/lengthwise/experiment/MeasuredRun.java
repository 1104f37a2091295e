package org.lengthwise.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.ExperimentRun.Imported;
import org.lengthwise.measure.ExperimentRun.Trained;
import org.lengthwise.measure.MeasurementConfig.OfRun;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.Trainer;
import org.lengthwise.training.loop.TrainingRun;

/**
 * One run of an experiment: it is trained, unless its model is imported, and then measured.
 *
 * @param measurements its measurements, also those that do not suit its model
 * @param folder its folder in the output of the experiment
 */
record MeasuredRun(ExperimentRun run, List<OfRun> measurements, Path folder) {
  private static final Logger LOG = LogManager.getLogger(MeasuredRun.class);

  /** Whether all measurements are finished, and so the training; without any, the training. */
  boolean isFinished() {
    List<OfRun> suiting = measurements.stream().filter(one -> one.suits(run)).toList();
    return suiting.isEmpty()
        ? isTrained()
        : suiting.stream().allMatch(one -> ArtifactFolder.isDone(results(one)));
  }

  private boolean isTrained() {
    try {
      return run instanceof Imported || TrainingRun.isFinished(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path results(OfRun measurement) {
    return folder.resolve(measurement.folder());
  }

  /**
   * Trains and measures the model, and logs its perplexities.
   *
   * @return whether the run is finished; false if a stop was requested
   */
  boolean complete(ShardSource shards, NewPerplexities perplexities, BooleanSupplier stopRequested)
      throws IOException {
    Optional<Checkpoint> model = model(shards, stopRequested);
    if (model.isEmpty()) {
      return false;
    }
    try {
      for (OfRun measurement : measurements) {
        if (measurement.suits(run)) {
          Path results = results(measurement);
          measurement.of(run).measure(List.of(model.get()), shards, results, stopRequested);
          perplexities.in(results).forEach(LOG::info);
        } else {
          LOG.warn(
              "{}: {} is skipped, because the model cannot be measured in this way",
              run.name(),
              measurement.folder());
        }
      }
    } catch (CancellationException e) {
      LOG.info("{}: stopped, the next attempt resumes", run.name());
      return false;
    }
    return true;
  }

  /** The model, trained to its end; empty if a stop was requested before. */
  private Optional<Checkpoint> model(ShardSource shards, BooleanSupplier stopRequested)
      throws IOException {
    if (run instanceof Imported imported) {
      return Optional.of(imported.checkpoint());
    }
    TrainingConfig training = ((Trained) run).config();
    Task task = Task.of(training, shards);
    if (isFinished()) {
      Optional<Checkpoint> last = TrainingRun.last(training, task, folder);
      if (last.isPresent()) {
        return last; // no measurement will read its tensors
      }
    }
    Trainer.Result result = TrainingRun.advance(training, task, folder, true, stopRequested);
    return result.isFinished()
        ? Optional.of(Checkpoint.open(result.checkpoint()))
        : Optional.empty();
  }
}
