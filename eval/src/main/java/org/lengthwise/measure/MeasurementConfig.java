package org.lengthwise.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * A measurement of an experiment: an entry of {@code measurements}. Each kind is a record beside
 * its measurement, whose components are its keys.
 */
public interface MeasurementConfig {

  /** A measurement that is made of each run. */
  interface OfRun extends MeasurementConfig {

    /** {@return the name of the results folder in the folder of a run, different for each kind} */
    String folder();

    MeasurementSettings settings();

    /** {@return the names of the tasks whose runs are measured; empty for all runs} */
    default List<String> tasks() {
      return List.of();
    }

    /** {@return whether the measurement names no tasks, or the task of a run} */
    default boolean isOf(ExperimentRun run) {
      return tasks().isEmpty()
          || run.task().filter(task -> tasks().contains(task.name())).isPresent();
    }

    /**
     * {@return whether the run is measured; false if the measurement allows to skip a run and its
     * model cannot be measured} A run that is not suitable is skipped.
     */
    default boolean suits(ExperimentRun run) {
      return true;
    }

    /**
     * {@return the same measurement that knows with which runs it shares its data: multiples of
     * their training lengths decide the windows of all runs}
     *
     * @param trainLengths T_tr of each measured run
     */
    default OfRun among(List<Integer> trainLengths) {
      return this;
    }

    /**
     * Checks that data and machine can serve the measurement. Not called if all runs are on
     * strings. A measurement that reads no shards leaves them closed.
     */
    default void requireFeasible(ShardSource shards) {}

    /**
     * Checks that a run can be measured. Not called for an imported model that does not suit.
     *
     * @param shards the data; a run or a measurement that needs none leaves them closed
     */
    void requireFeasible(ExperimentRun run, ShardSource shards);

    /**
     * {@return the changes of positions under which a run is measured, as far as it allows them}
     */
    default List<PositionChange> changes() {
      return List.of(PositionChange.NONE);
    }

    /**
     * {@return the requested changes that a run allows}
     *
     * @throws ConfigException if it allows none
     */
    default List<PositionChange> changes(ExperimentRun run) {
      return Feasibility.changes(run.name(), run.position(), run::allows, changes());
    }

    /** {@return the measurement of one run, if it differs from that of several} */
    default OfRun of(ExperimentRun run) {
      return this;
    }

    /**
     * {@return about the passes that the measurement of a run needs}
     *
     * @param run a run that the measurement suits
     */
    List<Pass> passes(ExperimentRun run);

    /** {@return the measurement of some checkpoints; the caller closes it} */
    CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards)
        throws IOException;

    /**
     * Measures checkpoints into a results folder, as {@link MeasurementFolder#complete} describes.
     *
     * @throws ConfigException if a checkpoint cannot be measured, two models would have the same
     *     name in results, or the folder holds another measurement
     */
    default void measure(
        List<Checkpoint> checkpoints,
        ShardSource shards,
        Path output,
        BooleanSupplier stopRequested)
        throws IOException {
      checkpoints.forEach(one -> requireFeasible(ExperimentRun.of(one), shards));
      try (CheckpointMeasurement<?> measurement = of(checkpoints, shards)) {
        measurement.complete(output, stopRequested);
      }
    }
  }
}
