package org.lengthwise.training.checkpoint;

import ai.djl.Device;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.Sha256;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.training.model.ParameterLayout;
import org.lengthwise.training.model.Weights;
import org.lengthwise.training.optimizer.AdamW;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;
import org.lengthwise.training.safetensors.TensorSource;

/**
 * A finished checkpoint folder.
 *
 * @param folder where it lies
 * @param origin where its model comes from
 * @param state how far the model's training had come
 */
public record Checkpoint(Path folder, ModelOrigin origin, TrainState state) {
  private static final String CONFIG = "config.json";
  private static final String STATE = "state.json";
  private static final String MODEL = "model.safetensors";
  private static final String OPTIMIZER = "optimizer.safetensors";

  /**
   * Writes a checkpoint, whole or not at all.
   *
   * @param folder its folder, which must not exist
   * @param run what makes it
   * @param state how far the run has come
   * @param tensors the model's weights and their moments, which stay as they are meanwhile
   * @throws IOException if the folder cannot be written
   */
  public static void write(Path folder, RunDescription run, TrainState state, Snapshot tensors)
      throws IOException {
    ArtifactFolder.create(
        folder,
        temporary -> {
          SafetensorsWriter.write(
              temporary.resolve(MODEL), Map.of(), tensors.weights(), tensors::numbers);
          SafetensorsWriter.write(
              temporary.resolve(OPTIMIZER), Map.of(), tensors.moments(), tensors::numbers);
          describe(temporary, run, state);
        });
  }

  /**
   * Writes a checkpoint of a model that comes from elsewhere, whole or not at all.
   *
   * @param folder its folder, which must not exist
   * @param origin where the model comes from
   * @param state how far its training had come, as far as that is known
   * @param weights the model's tensors, asked for one by one
   * @throws IOException if the folder cannot be written, or a tensor not be read
   */
  public static void write(
      Path folder, ImportedModel origin, TrainState state, TensorSource weights)
      throws IOException {
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(origin.model());
    ArtifactFolder.create(
        folder,
        temporary -> {
          SafetensorsWriter.write(temporary.resolve(MODEL), Map.of(), shapes, weights);
          describe(temporary, origin, state);
        });
  }

  /** The files with checksums: an imported model has no optimiser's moments. */
  private static Set<String> files(ModelOrigin origin) {
    return origin instanceof RunDescription
        ? Set.of(MODEL, OPTIMIZER, CONFIG)
        : Set.of(MODEL, CONFIG);
  }

  private static void describe(Path temporary, ModelOrigin origin, TrainState state)
      throws IOException {
    ObjectWriter writer = ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter();
    writer.writeValue(temporary.resolve(CONFIG).toFile(), origin);
    Map<String, String> checksums = new TreeMap<>();
    for (String file : files(origin)) {
      checksums.put(file, Sha256.of(temporary.resolve(file)));
    }
    writer.writeValue(temporary.resolve(STATE).toFile(), state.with(checksums));
  }

  /**
   * Opens a checkpoint and compares every file with its checksum.
   *
   * @param folder a checkpoint's folder
   * @return the checkpoint
   * @throws IOException if a file cannot be read
   * @throws DataFormatException if the folder is not a finished checkpoint, or was altered
   */
  public static Checkpoint open(Path folder) throws IOException {
    if (!ArtifactFolder.isDone(folder)) {
      throw new DataFormatException(
          folder.toString(),
          "a finished checkpoint",
          Files.isDirectory(folder) ? "a folder without the marker DONE" : "no such folder",
          "name a checkpoint folder, or a run's folder that holds checkpoints");
    }
    Path config = folder.resolve(CONFIG);
    ModelOrigin origin = read(config, json -> ModelOrigin.parse(config.toString(), json));
    Checkpoint checkpoint =
        new Checkpoint(folder, origin, read(folder.resolve(STATE), TrainState::parse));
    checkpoint.verify();
    return checkpoint;
  }

  /**
   * The training run that made this checkpoint.
   *
   * @return its description
   * @throws ConfigException if the model was imported
   */
  public RunDescription run() {
    if (origin instanceof RunDescription run) {
      return run;
    }
    throw new ConfigException(
        folder.toString(),
        "a checkpoint of a training run",
        "a model that was imported, which can be measured only",
        "train a model of your own");
  }

  /** Reads a value out of the text of a JSON file. */
  @FunctionalInterface
  private interface Parser<T> {
    T parse(String json) throws JsonProcessingException;
  }

  private static <T> T read(Path file, Parser<T> parser) throws IOException {
    try {
      return parser.parse(Files.readString(file));
    } catch (JsonProcessingException | NoSuchFileException e) {
      throw new DataFormatException(
          file.toString(),
          "what this release writes into a checkpoint",
          e instanceof JsonProcessingException json ? json.getOriginalMessage() : "no such file",
          "use another checkpoint of this run",
          e);
    }
  }

  /**
   * The checksum of the weights.
   *
   * @return the SHA-256 of {@code model.safetensors}, in hexadecimal
   */
  public String modelSha256() {
    return Objects.requireNonNull(state.files().get(MODEL));
  }

  /**
   * Reads how far a checkpoint had come, and verifies nothing.
   *
   * @param folder a finished checkpoint's folder
   * @return its state
   * @throws IOException if it cannot be read
   */
  static TrainState state(Path folder) throws IOException {
    return read(folder.resolve(STATE), TrainState::parse);
  }

  /**
   * How much of a disk a checkpoint takes: the weights and two moments for each of them.
   *
   * @param numParameters the model's learnable numbers
   * @return bytes, names and descriptions aside
   */
  public static long numBytes(long numParameters) {
    return 3L * Float.BYTES * numParameters;
  }

  private void verify() throws IOException {
    if (!state.files().keySet().equals(files(origin))) {
      throw new DataFormatException(
          folder.resolve(STATE).toString(),
          "checksums of " + files(origin),
          "checksums of " + state.files().keySet(),
          "use another checkpoint of this run");
    }
    for (Map.Entry<String, String> file : state.files().entrySet()) {
      Path path = folder.resolve(file.getKey());
      String found = Files.isRegularFile(path) ? Sha256.of(path) : "no such file";
      if (!found.equals(file.getValue())) {
        throw new DataFormatException(
            path.toString(),
            "SHA-256 " + file.getValue(),
            found,
            "the file was altered after it was written: use another checkpoint of this run");
      }
    }
  }

  /**
   * Opens the file of the model's tensors.
   *
   * @return the file, to be closed by the caller
   * @throws IOException if it cannot be read
   */
  public SafetensorsFile tensors() throws IOException {
    return SafetensorsFile.open(folder.resolve(MODEL));
  }

  /**
   * Loads the model's tensors.
   *
   * @param device where they shall live
   * @return the weights, to be closed by the caller
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if it does not hold this model's tensors
   */
  public Weights weights(Device device) throws IOException {
    try (SafetensorsFile tensors = tensors()) {
      return Weights.of(origin.model(), name -> FloatBuffer.wrap(tensors.floats(name)), device);
    } catch (IllegalArgumentException e) {
      throw new DataFormatException(
          folder.resolve(MODEL).toString(),
          "the tensors of the model that config.json describes",
          String.valueOf(e.getMessage()),
          "use another checkpoint of this run",
          e);
    }
  }

  /**
   * Puts the stored moments into an optimiser of the same model.
   *
   * @param optimizer the optimiser
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if a moment is missing or has another size
   */
  public void restore(AdamW optimizer) throws IOException {
    Path file = folder.resolve(OPTIMIZER);
    try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
      for (String name : List.copyOf(optimizer.moments().keySet())) {
        long expected = Objects.requireNonNull(optimizer.moments().get(name)).size();
        float[] numbers = tensors.floats(name);
        if (numbers.length != expected) {
          throw new DataFormatException(
              file.toString(),
              expected + " numbers for " + name,
              String.valueOf(numbers.length),
              "use another checkpoint of this run");
        }
        optimizer.restore(name, numbers);
      }
    }
  }
}
