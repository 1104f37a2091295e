package org.lengthwise.measure.receptivefield;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.training.checkpoint.Bos;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The scope of a measurement of receptive fields: trained models and the same models before
 * training, at several lengths. A scheme has no results at lengths that it cannot read.
 *
 * @param lengths each T, the length of a sample
 * @param samples the number of samples for a curve: of the test split, or strings
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param positionScaling how positions beyond the training length are scaled: {@code none}, {@code
 *     interpolation}, {@code ntk} or {@code yarn}, or with a fixed factor {@code yarn:4} or {@code
 *     dynamic:4}, each scaling once; a scheme with nothing to scale is measured once, without
 *     scaling
 * @param temperature what scores are multiplied by: {@code none}, {@code log-length}, {@code log}
 *     or {@code floor}, or with an offset {@code log:100}, each once; a scheme that cannot have one
 *     is measured once, without
 * @param bos whether samples of the test split begin with BOS, for models that were trained so
 */
public record ReceptiveField(
    @Unit("positions") Lengths lengths,
    @Unit("samples") int samples,
    long seed,
    List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") List<TestTemperature> temperature,
    @AbsentMeans("\"auto\"") Bos bos,
    @JsonUnwrapped MeasurementSettings settings) {

  /** Requires at least 2 samples, and distinct scalings and temperatures. */
  public ReceptiveField {
    Checks.atLeast("samples", samples, 2);
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
  }

  /** The changes under which each model is measured, if it allows them. */
  List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  ReceptiveField among(List<Integer> trainLengths) {
    return new ReceptiveField(
        lengths.among(trainLengths), samples, seed, positionScaling, temperature, bos, settings);
  }

  ReceptiveField with(PositionChange change) {
    return new ReceptiveField(
        lengths,
        samples,
        seed,
        List.of(change.scaling()),
        List.of(change.temperature()),
        bos,
        settings);
  }

  /**
   * Measures checkpoints into a results folder, as {@link MeasurementFolder#complete} describes.
   *
   * @param shards the data of language models, which the caller closes; strings need none
   * @param stopRequested read after each batch: whether to stop
   * @throws ConfigException if a checkpoint and the data have different tokenizers, a checkpoint
   *     can read none of the lengths, two models would have the same name in results, or the folder
   *     holds another measurement
   * @throws DataFormatException if the test split is shorter than a sample and its target
   * @throws CancellationException if a stop was requested; the next attempt resumes
   */
  public void run(
      List<Checkpoint> checkpoints, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      if (!checkpoint.origin().model().isClassifier()) {
        Feasibility.requireSameTokenizer(checkpoint, shards.folder());
      }
      List<Integer> ofModel = lengths.forTraining(checkpoint.origin().length());
      Feasibility.requireReads(
          checkpoint.origin().name(),
          checkpoint.origin().model().position(),
          "receptive field at " + ofModel,
          ofModel.get(0));
      checkpoint.requireFinite(Collections.max(ofModel));
    }
    try (ReceptiveFieldMeasurement measurement =
        new ReceptiveFieldMeasurement(this, checkpoints, shards)) {
      measurement.complete(output, stopRequested);
    }
  }

  /**
   * Checks that the data can serve this measurement.
   *
   * @throws DataFormatException if the test split is shorter than a sample and its target
   */
  public void requireFeasible(ShardFolder shards) {
    new SampleSource.TestSplit(shards, Optional.empty()).requireFeasible(lengths.all());
  }

  /**
   * Checks that a task has strings of all lengths.
   *
   * @param task the task of a classifier
   * @param trainLength its T_tr
   * @throws ConfigException if it has none of a length
   */
  public void requireFeasible(RegularConfig task, int trainLength) {
    new SampleSource.Strings(task).requireFeasible(lengths.forTraining(trainLength));
  }
}
