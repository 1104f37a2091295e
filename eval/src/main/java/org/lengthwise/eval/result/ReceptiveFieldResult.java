package org.lengthwise.eval.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Path;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * The receptive field of one checkpoint at one length, beside that of the same model before
 * training: the content of {@code receptive-field.json}.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param run the run's name, the same over its seeds
 * @param scheme the positional scheme
 * @param seed the seed the model was trained with
 * @param checkpoint where the checkpoint lay, for the reader's eye only
 * @param step the optimiser step of the checkpoint
 * @param trainLength T_tr, the training length in tokens
 * @param length the tokens of each chunk
 * @param samples over how many chunks the curves are averaged
 * @param dataSha256 a digest that names the test tokens
 * @param trained the trained model's curve
 * @param untrained the curve of the same model as initialised
 * @param build the software that measured
 */
public record ReceptiveFieldResult(
    int formatVersion,
    String run,
    String scheme,
    long seed,
    String checkpoint,
    long step,
    int trainLength,
    int length,
    int samples,
    String dataSha256,
    CumulativeGradient trained,
    CumulativeGradient untrained,
    BuildInfo build) {
  /** The only format version so far. */
  public static final int FORMAT_VERSION = 1;

  /** The name of the file in its folder. */
  public static final String NAME = "receptive-field.json";

  /** Checks that the values can be those of a result. */
  public ReceptiveFieldResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.name("run", run);
    Checks.name("scheme", scheme);
    Checks.atLeast("step", step, 0);
    Checks.atLeast("train_length", trainLength, 1);
    Checks.atLeast("length", length, 1);
    Checks.atLeast("samples", samples, 1);
    Checks.sha256("data_sha256", dataSha256);
    int numTrained = trained.cumulative().size();
    Checks.require(numTrained == length, "trained", length + " positions", numTrained);
    int numUntrained = untrained.cumulative().size();
    Checks.require(numUntrained == length, "untrained", length + " positions", numUntrained);
  }

  /**
   * The receptive field measured by this build; the length is that of the curves.
   *
   * @param subject the checkpoint measured
   * @param samples over how many chunks the curves are averaged
   * @param dataSha256 a digest that names the test tokens
   * @param trained the trained model's curve
   * @param untrained the curve of the same model as initialised
   * @return the result
   */
  public static ReceptiveFieldResult of(
      EvaluatedCheckpoint subject,
      int samples,
      String dataSha256,
      CumulativeGradient trained,
      CumulativeGradient untrained) {
    return new ReceptiveFieldResult(
        FORMAT_VERSION,
        subject.run(),
        subject.scheme(),
        subject.seed(),
        subject.path(),
        subject.step(),
        subject.trainLength(),
        trained.cumulative().size(),
        samples,
        dataSha256,
        trained,
        untrained,
        BuildInfo.current());
  }

  /**
   * Writes {@code receptive-field.json} into a folder, atomically.
   *
   * @param folder an existing folder
   * @throws IOException if the file cannot be written
   */
  public void write(Path folder) throws IOException {
    AtomicFile.write(
        folder.resolve(NAME),
        out -> {
          out.write(ConfigLoader.strictMapper().writeValueAsBytes(this));
          out.write('\n');
        });
  }

  /**
   * Reads {@code receptive-field.json} of a folder.
   *
   * @param folder a receptive-field folder
   * @return the result
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if it is not such a result
   */
  public static ReceptiveFieldResult read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    try {
      return ConfigLoader.strictMapper().readValue(file.toFile(), ReceptiveFieldResult.class);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file.toString(),
          "a receptive field as JSON",
          e.getOriginalMessage(),
          "measure the receptive field again into a new folder",
          e);
    }
  }
}
