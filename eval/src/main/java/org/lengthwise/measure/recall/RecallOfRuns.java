package org.lengthwise.measure.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;

/**
 * The accuracy of runs on recall tasks. Other runs are skipped.
 *
 * @param tests the strings and their settings
 * @param lengths each length, as the task counts it
 * @param tasks the tasks whose runs are measured; all recall tasks if empty
 * @param folder the name of the results folder, for several measurements of a task
 */
@JsonTypeName("recall")
public record RecallOfRuns(
    @JsonUnwrapped RecallTests tests,
    @Unit("as the task counts") Lengths lengths,
    @AbsentMeans("[]") List<String> tasks,
    @AbsentMeans("\"recall\"") String folder)
    implements MeasurementConfig.OfRun {

  /** Copies the tasks, and requires a name of a folder. */
  public RecallOfRuns {
    tasks = List.copyOf(tasks);
    Checks.name("folder", folder);
  }

  @Override
  public MeasurementSettings settings() {
    return tests.settings();
  }

  @Override
  public boolean suits(ExperimentRun run) {
    return run.isTrained();
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    if (run.task().flatMap(TaskConfig::recall).isEmpty()) {
      throw new ConfigException(
          run.name(),
          "a run on a recall task, for the measurement recall",
          run.task().map(task -> "the task " + task.name()).orElse("a run on a text"),
          "remove the measurement, or name its tasks");
    }
    changes(run);
  }

  private List<PositionChange> changes(ExperimentRun run) {
    return Feasibility.changes(run.name(), run.position(), run::allows, tests.changes());
  }

  /** Strings as long as those of the task that was trained, whatever is varied. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    RecallTask task = run.task().flatMap(TaskConfig::recall).orElseThrow();
    int longest = task.trainingLengths().max().orElseThrow();
    long changes = changes(run).size();
    long tested = changes * tests.combinations().size() * tests.samples();
    long learned = changes * 2 * tests.learnedSamples();
    return Stream.concat(
            Stream.of(new Pass(task.numTokens(longest), learned, false)),
            lengths.forTraining(run.length()).stream()
                .map(length -> new Pass(task.numTokens(length), tested, false)))
        .toList();
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    RecallMeasurement.run(tests, lengths, List.of(checkpoint), output, stopRequested);
  }
}
