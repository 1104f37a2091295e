package org.lengthwise.measure.states;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.positional.Reach;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The states of classifiers: a RegularGPT with one block is measured, every other run is skipped.
 * Trained classifiers and the same models before training read fresh strings of one length.
 *
 * @param length T, the length of a string
 * @param samples the number of strings
 * @param seed the seed of the strings
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("states")
public record States(
    @Unit("symbols") int length,
    @Unit("strings") int samples,
    long seed,
    @JsonUnwrapped MeasurementSettings settings,
    @AbsentMeans("[]") @JsonProperty(value = "tasks", access = JsonProperty.Access.WRITE_ONLY)
        List<String> tasks)
    implements MeasurementConfig.OfRun {

  public States {
    Checks.atLeast("length", length, 1);
    Checks.atLeast("samples", samples, 1);
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "states";
  }

  /**
   * {@return whether a model has a tree in which each row stands for a part of the string: true
   * with K = 1 and a scheme {@linkplain Reach#hasDilation with dilation}}
   */
  @Override
  public boolean suits(ExperimentRun run) {
    return run.position().reach().hasDilation() && run.layers() == 1;
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireStrings(run, "states");
  }

  /** Of the trained and the untrained model. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    return List.of(new Pass(length, 2L * samples, false));
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    for (Checkpoint checkpoint : checkpoints) {
      ExperimentRun run = ExperimentRun.of(checkpoint);
      if (!suits(run)) {
        throw new ConfigException(
            checkpoint.folder().toString(),
            "a RegularGPT with one block, whose windows of one level share no symbols",
            "%s with %s blocks".formatted(run.position().label(), run.layers()),
            "name another checkpoint");
      }
    }
    return new StatesMeasurement(this, checkpoints);
  }
}
