package org.lengthwise.measure.states;

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

/**
 * The states of classifiers: a RegularGPT with one block is measured, every other run is skipped.
 *
 * @param states the strings and their settings
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("states")
public record StatesOfRuns(@JsonUnwrapped States states, @AbsentMeans("[]") List<String> tasks)
    implements MeasurementConfig.OfRun {

  /** Copies the tasks. */
  public StatesOfRuns {
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "states";
  }

  @Override
  public MeasurementSettings settings() {
    return states.settings();
  }

  @Override
  public boolean suits(ExperimentRun run) {
    return run instanceof ExperimentRun.Trained trained
        && States.suits(run.position(), trained.config().model().layers());
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireStrings(run, "states");
  }

  /** Of the trained and the untrained model. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    return List.of(new Pass(states.length(), 2L * states.samples(), false));
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    states.run(List.of(checkpoint), output, stopRequested);
  }
}
