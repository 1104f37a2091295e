package org.lengthwise.measure.states;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Reach;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The scope of a measurement of states: trained classifiers and the same models before training, on
 * fresh strings of one length.
 *
 * @param length T, the length of a string
 * @param samples the number of strings
 * @param seed the seed of the strings
 */
public record States(
    @Unit("symbols") int length,
    @Unit("strings") int samples,
    long seed,
    @JsonUnwrapped MeasurementSettings settings) {

  /** Requires a length and a number of strings of at least 1. */
  public States {
    Checks.atLeast("length", length, 1);
    Checks.atLeast("samples", samples, 1);
  }

  /**
   * Measures checkpoints into a results folder, as {@link MeasurementFolder#complete} describes.
   *
   * @param stopRequested read after each batch: whether to stop
   * @throws ConfigException if a checkpoint has no task or no windows that share no symbols, two
   *     models would have the same name in results, or the folder holds another measurement
   * @throws CancellationException if a stop was requested; the next attempt resumes
   */
  public void run(List<Checkpoint> checkpoints, Path output, BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      checkpoint.stringTask();
      PositionalScheme scheme = checkpoint.origin().model().position();
      int layers = checkpoint.origin().model().layers();
      if (!suits(scheme, layers)) {
        throw new ConfigException(
            checkpoint.folder().toString(),
            "a RegularGPT with one block, whose windows of one level share no symbols",
            "%s with %s blocks".formatted(scheme.label(), layers),
            "name another checkpoint");
      }
    }
    try (StatesMeasurement measurement = new StatesMeasurement(this, checkpoints)) {
      measurement.complete(output, stopRequested);
    }
  }

  /**
   * {@return whether a model has a tree in which each row stands for a part of the string: true
   * with K = 1 and a scheme {@linkplain Reach#hasDilation with dilation}}
   *
   * @param layers K, the number of its blocks
   */
  public static boolean suits(PositionalScheme scheme, int layers) {
    return scheme.reach().hasDilation() && layers == 1;
  }
}
