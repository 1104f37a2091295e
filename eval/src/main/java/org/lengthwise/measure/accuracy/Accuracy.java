package org.lengthwise.measure.accuracy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.Unit;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The scope of a measurement of accuracy: the share of right labels on fresh strings of several
 * lengths. A scheme has no results at lengths that it cannot read.
 *
 * @param config the strings and their settings
 * @param lengths each T, the length of a string
 */
public record Accuracy(@JsonUnwrapped AccuracyConfig config, @Unit("symbols") Lengths lengths) {

  /**
   * Measures classifiers into a results folder, as {@link MeasurementFolder#complete} describes.
   *
   * @param stopRequested read after each batch: whether to stop
   * @throws ConfigException if a checkpoint has no task, its task has none of the draws, it can
   *     read none of the lengths, two models would have the same name in results, or the folder
   *     holds another measurement
   * @throws CancellationException if a stop was requested; the next attempt resumes
   */
  public void run(List<Checkpoint> checkpoints, Path output, BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      requireFeasible(
          checkpoint.origin().name(),
          checkpoint.origin().length(),
          checkpoint.stringTask(),
          checkpoint.origin().model().position());
    }
    try (AccuracyMeasurement measurement = new AccuracyMeasurement(this, checkpoints)) {
      measurement.complete(output, stopRequested);
    }
  }

  /**
   * Checks that a run's model can be measured.
   *
   * @param trainLength its T_tr
   * @throws ConfigException if the task has none of the draws, or the scheme can read none of the
   *     lengths
   */
  public void requireFeasible(
      String name, int trainLength, RegularConfig task, PositionalScheme scheme) {
    draws(task);
    int shortest = lengths.forTraining(trainLength).get(0);
    Feasibility.requireReads(
        name, scheme, "lengths from " + shortest, task.task().sampler().numSymbols(shortest));
  }

  /**
   * {@return the draws of the configuration that a task has, at least one}
   *
   * @throws ConfigException if the task has none of them
   */
  List<Draw> draws(RegularConfig task) {
    List<Draw> draws = new ArrayList<>();
    for (Negatives negatives : config.negatives()) {
      for (double p : config.p()) {
        if (task.drawn(negatives, p).isPresent()) {
          draws.add(new Draw(negatives, p));
        }
      }
    }
    if (draws.isEmpty()) {
      throw new ConfigException(
          "negatives and p",
          "uniform and 0.5, or what %s has".formatted(task.name()),
          config.negatives() + " and " + config.p(),
          "near is for languages, and p for parity_check");
    }
    return draws;
  }
}
