package org.lengthwise.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;

/**
 * A measurement of an experiment: an entry of {@code measurements}. Each kind is a record beside
 * its measurement, whose components are its keys.
 */
public interface MeasurementConfig {

  /** A measurement that is made of each run. */
  interface OfRun extends MeasurementConfig {

    /** {@return the name of the results folder in the folder of a run, different for each kind} */
    String folder();

    /** {@return how the models run} */
    MeasurementSettings settings();

    /** {@return the names of the tasks whose runs are measured; empty for all runs} */
    default List<String> tasks() {
      return List.of();
    }

    /**
     * {@return whether the measurement is meant for a run: it names no tasks, or the task of the
     * run}
     *
     * @param run the run
     */
    default boolean isOf(TrainingConfig run) {
      return tasks().isEmpty() || (run.task() != null && tasks().contains(run.task().name()));
    }

    /**
     * {@return whether the run is measured; false if the measurement allows to skip a run and its
     * model cannot be measured} A run that is not suitable is skipped.
     *
     * @param run the run
     */
    default boolean suits(TrainingConfig run) {
      return true;
    }

    /**
     * Checks that data and machine can serve the measurement. Not called if all runs are on
     * strings.
     *
     * @param shards the data; a measurement that reads none leaves them closed
     */
    default void requireFeasible(ShardSource shards) {}

    /**
     * Checks that a run can be measured.
     *
     * @param run the run
     */
    void requireFeasible(TrainingConfig run);

    /**
     * Measures the checkpoint of a run, or resumes.
     *
     * @param checkpoint the checkpoint
     * @param shards the data; a measurement that reads none leaves them closed
     * @param output the results folder
     * @param stopRequested read after each batch: whether to stop
     * @throws IOException if a file cannot be read or written
     * @throws java.util.concurrent.CancellationException if a stop was requested
     */
    void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException;
  }
}
