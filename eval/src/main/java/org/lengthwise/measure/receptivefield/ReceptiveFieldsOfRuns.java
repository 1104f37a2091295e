package org.lengthwise.measure.receptivefield;

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
import org.lengthwise.positional.PositionChange;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.config.TaskConfig;

/**
 * Receptive fields at several lengths. Each run is measured under the first of the scalings and
 * temperatures that its scheme has. A run whose scheme can read none of the lengths is skipped.
 *
 * @param field the samples and their settings
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("receptive-field")
public record ReceptiveFieldsOfRuns(
    @JsonUnwrapped ReceptiveField field, @AbsentMeans("[]") List<String> tasks)
    implements MeasurementConfig.OfRun {

  /** Copies the tasks. */
  public ReceptiveFieldsOfRuns {
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "receptive-field";
  }

  @Override
  public MeasurementSettings settings() {
    return field.settings();
  }

  @Override
  public boolean suits(ExperimentRun run) {
    int shortest = field.lengths().forTraining(run.length()).get(0);
    return shortest <= run.position().lengths().longest();
  }

  @Override
  public ReceptiveFieldsOfRuns among(List<Integer> trainLengths) {
    return new ReceptiveFieldsOfRuns(field.among(trainLengths), tasks);
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    field.requireFeasible(shards.folder());
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireSameTokenizer(run, shards);
    Feasibility.changes(run.name(), run.position(), run::allows, field.changes());
    run.task()
        .flatMap(TaskConfig::regular)
        .ifPresent(task -> field.requireFeasible(task, run.length()));
  }

  /** Of the trained and the untrained model. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    return field.lengths().forTraining(run.length()).stream()
        .map(length -> new Pass(length, 2L * Pass.WITH_GRADIENT * field.samples(), false))
        .toList();
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    ModelOrigin origin = checkpoint.origin();
    PositionChange first =
        Feasibility.changes(
                origin.name(), origin.model().position(), origin::allows, field.changes())
            .get(0);
    field.with(first).run(List.of(checkpoint), shards, output, stopRequested);
  }
}
