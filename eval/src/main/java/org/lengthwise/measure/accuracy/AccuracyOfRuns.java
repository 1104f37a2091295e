package org.lengthwise.measure.accuracy;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The accuracy of classifiers of strings at several lengths. An imported language model is skipped.
 *
 * @param accuracy the strings and their settings
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("accuracy")
public record AccuracyOfRuns(
    @JsonUnwrapped Accuracy accuracy, @AbsentMeans("[]") List<String> tasks)
    implements MeasurementConfig.OfRun {

  /** Copies the tasks. */
  public AccuracyOfRuns {
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "accuracy";
  }

  @Override
  public MeasurementSettings settings() {
    return accuracy.config().settings();
  }

  @Override
  public boolean suits(ExperimentRun run) {
    return run.isTrained();
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    RegularConfig task = Feasibility.requireStrings(run, "accuracy");
    accuracy.requireFeasible(run.name(), run.length(), task, run.position());
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    RegularConfig task = Feasibility.requireStrings(run, "accuracy");
    long strings = (long) accuracy.draws(task).size() * accuracy.config().samples();
    return accuracy.lengths().forTraining(run.length()).stream()
        .map(length -> new Pass(task.task().sampler().numSymbols(length), strings, true))
        .toList();
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    accuracy.run(List.of(checkpoint), output, stopRequested);
  }
}
