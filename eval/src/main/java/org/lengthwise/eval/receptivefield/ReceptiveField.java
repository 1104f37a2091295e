package org.lengthwise.eval.receptivefield;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.perplexity.MeasurementFile;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.ReceptiveFieldResult;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/**
 * A measurement of a receptive field, of a trained model and of the same model before training.
 *
 * @param length T, the positions of each chunk
 * @param samples over how many chunks of the test split the curves are averaged
 */
public record ReceptiveField(int length, int samples) {
  private static final Logger LOG = LogManager.getLogger(ReceptiveField.class);

  /** Checks the values. */
  public ReceptiveField {
    if (length < 1 || samples < 1) {
      throw new IllegalArgumentException(
          "expected a length and a number of samples of at least 1, found %d and %d"
              .formatted(length, samples));
    }
  }

  /**
   * Measures a checkpoint and writes the result's folder, whole or not at all. A finished folder
   * with the same measurement is left as it is.
   *
   * @param checkpoint what to measure
   * @param shards the data, kept open by the caller
   * @param config the seed of the draw, the precision and the device
   * @param output the result's folder
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if the checkpoint and the data have different tokenizers, the
   *     checkpoint cannot read so many positions, or the folder holds another measurement
   * @throws DataFormatException if the test split is shorter than a chunk
   */
  public void run(Checkpoint checkpoint, ShardFolder shards, EvaluationConfig config, Path output)
      throws IOException {
    MeasuredModel.requireSameTokenizer(checkpoint, shards);
    MeasuredModel model = MeasuredModel.single(checkpoint, config.positionScaling());
    MeasuredModel.requireReads(
        checkpoint.origin().name(),
        checkpoint.origin().model().position(),
        "receptive field",
        length);
    if (ArtifactFolder.isDone(output)) {
      MeasurementFile.requireSame(output, describe(checkpoint, shards, config));
      LOG.info("{} holds this receptive field already", output);
      return;
    }
    requireFeasible(shards);
    ArtifactFolder.create(
        output,
        temporary -> {
          measure(model, shards, config).write(temporary);
          MeasurementFile.write(temporary, describe(checkpoint, shards, config));
        });
  }

  private ReceptiveFieldResult measure(
      MeasuredModel model, ShardFolder shards, EvaluationConfig config) throws IOException {
    Checkpoint checkpoint = model.checkpoint();
    Device device = Devices.of(config.device());
    RandomStreams streams = new RandomStreams(checkpoint.state().seed());
    TokenStream test = shards.tokens(Split.TEST);
    try (Weights trained = checkpoint.weights(device);
        Weights untrained = Weights.initialise(checkpoint.origin().model(), streams, device)) {
      ReceptiveFieldResult result =
          ReceptiveFieldResult.of(
              model.described(),
              samples,
              DataIdentity.of(shards.manifest()).sha256(),
              average(model, trained, test, config),
              average(model, untrained, test, config));
      LOG.info(
          "{}: effective receptive field {} tokens, untrained {}",
          result.run(),
          result.trained().effective(),
          result.untrained().effective());
      return result;
    }
  }

  private CumulativeGradient average(
      MeasuredModel model, Weights weights, TokenStream test, EvaluationConfig config) {
    double[] mean = new double[length];
    try (NDManager manager = NDManager.newBaseManager(weights.device(), "PyTorch");
        Decoder decoder = new Decoder(model.model(), weights, config.precision());
        Progress progress =
            ProgressReporter.start("receptive field of " + model.name(), "chunks", samples)) {
      GradientProbe probe = new GradientProbe(decoder, manager);
      int sample = 0;
      for (long target : targets(test.numTokens(), config)) {
        double[] cumulative = probe.cumulative(test, target, length);
        for (int n = 0; n < length; n++) {
          mean[n] += cumulative[n] / samples;
        }
        progress.advanceTo(++sample);
      }
    }
    return CumulativeGradient.of(mean);
  }

  /**
   * Checks that the data can serve this measurement.
   *
   * @param shards the data
   * @throws DataFormatException if the test split is shorter than a chunk and its target
   */
  public void requireFeasible(ShardFolder shards) {
    long numTokens = shards.tokens(Split.TEST).numTokens();
    if (numTokens <= length) {
      throw new DataFormatException(
          "test split",
          "at least " + (length + 1L) + " tokens",
          numTokens + " tokens",
          "prepare more text, raise split.test, or ask for a shorter length");
    }
  }

  /** The same chunks for every model of the same data, length and seed. */
  private long[] targets(long numTokens, EvaluationConfig config) {
    Random random = new RandomStreams(config.seed()).stream("receptive-field/" + length);
    return random.longs(samples, length, numTokens).toArray();
  }

  /**
   * All that decides the numbers of a receptive field.
   *
   * @param checkpoint what is measured
   * @param dataSha256 the data's checksum
   * @param seed the seed of the draw
   * @param positionScaling what happened to positions beyond the training length
   * @param precision the format of the model's products
   * @param device where it ran
   * @param length the positions of each chunk
   * @param samples over how many chunks the curves are averaged
   */
  private record Description(
      MeasurementFile.Subject checkpoint,
      String dataSha256,
      long seed,
      PositionScaling positionScaling,
      Precision precision,
      String device,
      int length,
      int samples) {}

  private Description describe(Checkpoint checkpoint, ShardFolder shards, EvaluationConfig config) {
    return new Description(
        MeasurementFile.Subject.of(checkpoint),
        DataIdentity.of(shards.manifest()).sha256(),
        config.seed(),
        config.positionScaling().get(0),
        config.precision(),
        config.device(),
        length,
        samples);
  }
}
