package org.lengthwise.training.checkpoint;

import ai.djl.Device;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.optimizer.AdamW;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;
import org.lengthwise.training.safetensors.TensorSource;
import org.lengthwise.training.safetensors.Tensors;

/**
 * A finished checkpoint folder, or a folder of other software that is read as one.
 *
 * @param origin the origin of its model
 * @param state the state of the training
 * @param isWidened whether matrices are loaded in float32, also those that are stored in 16 bits
 */
public record Checkpoint(
    Path folder, ModelOrigin origin, TrainState state, Opener opener, boolean isWidened) {
  private static final String CONFIG = "config.json";
  private static final String STATE = "state.json";
  private static final String MODEL = "model.safetensors";
  private static final String OPTIMIZER = "optimizer.safetensors";
  private static final String TOKENIZER = "tokenizer.json";

  /** Opens the tensors of a model. */
  @FunctionalInterface
  public interface Opener {
    /**
     * {@return the tensors with the names of {@link ParameterLayout}, to be closed by the caller}
     */
    Tensors open() throws IOException;
  }

  /**
   * {@return a model in files of other software, read as a checkpoint}
   *
   * @param origin the origin of the model
   * @param checksums the SHA-256 of each file by name
   */
  public static Checkpoint ofFiles(
      Path folder, ImportedModel origin, Map<String, String> checksums, Opener opener) {
    Map<String, String> files = new TreeMap<>(checksums);
    // Several files of weights have one checksum: that of their own.
    files.computeIfAbsent(
        MODEL, name -> Sha256.of(checksums.toString().getBytes(StandardCharsets.UTF_8)));
    return new Checkpoint(folder, origin, TrainState.initial(0).with(files), opener, false);
  }

  private static Checkpoint of(Path folder, ModelOrigin origin, TrainState state) {
    return new Checkpoint(
        folder, origin, state, () -> SafetensorsFile.open(folder.resolve(MODEL)), false);
  }

  /**
   * Writes a checkpoint. The folder appears complete or not at all.
   *
   * @param folder its folder, which must not exist
   * @param state the state of the run
   * @param tensors the model's weights and their moments, unchanged until this method returns
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
   * Writes a checkpoint of an imported model. The folder appears complete or not at all.
   *
   * @param folder its folder, which must not exist
   * @param origin the origin of the model
   * @param state the state of its training, as far as it is known
   * @param weights gives the model's tensors one by one
   * @throws IOException if the folder cannot be written, or a tensor cannot be read
   */
  public static void write(
      Path folder, ImportedModel origin, TrainState state, TensorSource weights)
      throws IOException {
    write(folder, origin, state, weights, Optional.empty());
  }

  /**
   * Writes a checkpoint of an imported model with its tokenizer. The folder appears complete or not
   * at all.
   *
   * @param folder its folder, which must not exist
   * @param origin the origin of the model
   * @param state the state of its training, as far as it is known
   * @param weights gives the model's tensors one by one
   * @param tokenizer the {@code tokenizer.json} to copy, if there is one
   * @throws IOException if the folder cannot be written, or a file cannot be read
   */
  public static void write(
      Path folder,
      ImportedModel origin,
      TrainState state,
      TensorSource weights,
      Optional<Path> tokenizer)
      throws IOException {
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(origin.model());
    ArtifactFolder.create(
        folder,
        temporary -> {
          SafetensorsWriter.write(temporary.resolve(MODEL), Map.of(), shapes, weights);
          if (tokenizer.isPresent()) {
            Files.copy(tokenizer.get(), temporary.resolve(TOKENIZER));
          }
          describe(temporary, origin, state);
        });
  }

  /** {@return the same checkpoint, whose matrices are all loaded in float32} */
  public Checkpoint widened() {
    return new Checkpoint(folder, origin, state, opener, true);
  }

  /**
   * {@return whether a folder is a checkpoint, finished or damaged, not a model of other software}
   */
  public static boolean isOurs(Path folder) {
    return Files.exists(folder.resolve(STATE));
  }

  /** {@return the copy of the model's {@code tokenizer.json}, if the checkpoint has one} */
  public Optional<Path> tokenizerFile() {
    return Optional.of(folder.resolve(TOKENIZER)).filter(file -> hasTokenizer());
  }

  private boolean hasTokenizer() {
    return state.files().containsKey(TOKENIZER);
  }

  /** The files with checksums. Only an imported model may have a tokenizer; it has no moments. */
  private static Set<String> files(ModelOrigin origin, boolean hasTokenizer) {
    if (origin instanceof RunDescription) {
      return Set.of(MODEL, OPTIMIZER, CONFIG);
    }
    return hasTokenizer ? Set.of(MODEL, CONFIG, TOKENIZER) : Set.of(MODEL, CONFIG);
  }

  private static void describe(Path temporary, ModelOrigin origin, TrainState state)
      throws IOException {
    ObjectWriter writer = ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter();
    writer.writeValue(temporary.resolve(CONFIG).toFile(), origin);
    Map<String, String> checksums = new TreeMap<>();
    for (String file : files(origin, Files.exists(temporary.resolve(TOKENIZER)))) {
      checksums.put(file, Sha256.of(temporary.resolve(file)));
    }
    writer.writeValue(temporary.resolve(STATE).toFile(), state.with(checksums));
  }

  /**
   * Opens a checkpoint and checks every file's checksum.
   *
   * @throws DataFormatException if the folder is not a finished checkpoint, or was changed
   */
  public static Checkpoint open(Path folder) throws IOException {
    if (!ArtifactFolder.isDone(folder)) {
      throw new DataFormatException(
          folder.toString(),
          "a finished checkpoint",
          Files.isDirectory(folder)
              ? "a folder without the marker DONE"
              : Files.exists(folder) ? "a file" : "no such folder",
          "name a checkpoint folder, a run's folder that holds checkpoints, or the folder of a"
              + " model with its config.json and model*.safetensors");
    }
    Checkpoint checkpoint = described(folder);
    checkpoint.verify();
    return checkpoint;
  }

  /**
   * {@return a checkpoint as its folder describes it} No checksum is verified, so the files of
   * tensors may have been deleted.
   *
   * @throws DataFormatException if the description is missing, damaged or of another version
   */
  public static Checkpoint described(Path folder) throws IOException {
    return of(folder, origin(folder), state(folder));
  }

  /**
   * {@return the origin of a checkpoint's model, read without verifying any checksum}
   *
   * @throws DataFormatException if the description is missing, damaged or of another version
   */
  public static ModelOrigin origin(Path folder) throws IOException {
    Path config = folder.resolve(CONFIG);
    return read(config, json -> ModelOrigin.parse(config.toString(), json));
  }

  /**
   * {@return the description of the training run that made this checkpoint}
   *
   * @throws ConfigException if the model was imported
   */
  public RunDescription run() {
    if (origin instanceof RunDescription run) {
      return run;
    }
    throw new ConfigException(
        folder.toString(),
        "a checkpoint of a training run",
        "an imported model or a constructed one, which can only be measured",
        "use a checkpoint that train wrote");
  }

  /** Reads a value out of the text of a JSON file. */
  @FunctionalInterface
  private interface Parser<T> {
    T parse(String json) throws JsonProcessingException;
  }

  private static <T> T read(Path file, Parser<T> parser) throws IOException {
    try {
      return parser.parse(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw damaged(file, JsonFault.ofValue(e), e);
    } catch (NoSuchFileException e) {
      throw damaged(file, "no such file", e);
    } catch (CharacterCodingException e) {
      throw damaged(file, "bytes that are not UTF-8", e);
    }
  }

  private static DataFormatException damaged(Path file, String found, IOException cause) {
    return new DataFormatException(
        file.toString(),
        "a file of a checkpoint, as Lengthwise writes it",
        found,
        "use another checkpoint of this run",
        cause);
  }

  /** {@return the SHA-256 of {@code model.safetensors}, the file of the weights, in hexadecimal} */
  public String modelSha256() {
    return Objects.requireNonNull(state.files().get(MODEL));
  }

  /** {@return the state of a checkpoint, read without verifying any checksum} */
  static TrainState state(Path folder) throws IOException {
    return read(folder.resolve(STATE), TrainState::parse);
  }

  /**
   * {@return the size of a checkpoint in bytes: each weight and its two moments, without names and
   * descriptions}
   *
   * @param numParameters the number of the model's parameters
   */
  public static long numBytes(long numParameters) {
    return 3L * Float.BYTES * numParameters;
  }

  private void verify() throws IOException {
    Set<String> expected = files(origin, hasTokenizer());
    if (!state.files().keySet().equals(expected)) {
      throw new DataFormatException(
          folder.resolve(STATE).toString(),
          "checksums of " + expected,
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
            "the file has changed since it was written: use another checkpoint of this run");
      }
    }
  }

  /** {@return the model's tensors, to be closed by the caller} */
  public Tensors tensors() throws IOException {
    return opener.open();
  }

  /**
   * {@return how far the biases of each head lie apart, by the name of each learnable table of
   * biases, as {@link ParameterSpec#biasRanges} computes it; empty for a scheme without such a
   * table}
   */
  public Map<String, List<Double>> biasRanges() throws IOException {
    Map<String, List<Double>> ranges = new LinkedHashMap<>();
    try (Tensors tensors = tensors()) {
      for (ParameterSpec spec : ParameterLayout.of(origin.model())) {
        if (spec.table().isPresent()) {
          ranges.put(spec.name(), spec.biasRanges(tensors.floats(spec.name())).boxed().toList());
        }
      }
    }
    return ranges;
  }

  /**
   * Checks that the positional biases of the trained model are finite.
   *
   * @param length T, the longest sequence that the model is to read
   * @throws IOException if the file of the tensors cannot be read
   * @throws ConfigException if a formula has no finite bias at a distance below the length
   */
  public void requireFinite(long length) throws IOException {
    ModelConfig model = origin.model();
    PositionalScheme scheme = model.position();
    int blocks = scheme.numBlocksToCheck(model.layers());
    if (blocks == 0) {
      return;
    }
    try (Tensors tensors = tensors()) {
      for (int k = 0; k < blocks; k++) {
        Map<String, double[]> numbers = new HashMap<>();
        for (PositionalParameter parameter :
            scheme.parameters(model.heads(), model.positionalWidth())) {
          if (!parameter.blocks().contain(k)) {
            continue;
          }
          float[] stored = tensors.floats(ParameterLayout.positionalName(parameter, k));
          double[] values = new double[stored.length];
          Arrays.setAll(values, i -> stored[i]);
          numbers.put(parameter.name(), values);
        }
        scheme.requireFinite(
            new PositionalValues(model.heads(), model.headWidth(), k, length, numbers), length);
      }
    } catch (InvalidValueException e) {
      throw new ConfigException(
          folder + ", " + e.key() + " of its formula up to length " + length,
          e.expected(),
          e.found(),
          "measure shorter texts, or train with another formula",
          e);
    }
  }

  /**
   * Requires a language model.
   *
   * @throws ConfigException if the model is a classifier of strings
   */
  public Checkpoint ofLanguageModel() {
    if (origin.model().isClassifier()) {
      throw new ConfigException(
          folder.toString(),
          "a language model",
          "a classifier of strings, trained on " + origin.tokenizer().name(),
          "name a checkpoint that was trained on a text");
    }
    return this;
  }

  /**
   * Requires a classifier of strings.
   *
   * @throws ConfigException if the model is a language model, or its task is unknown
   */
  public RegularConfig stringTask() {
    return origin
        .stringTask()
        .flatMap(TaskConfig::regular)
        .orElseThrow(
            () ->
                new ConfigException(
                    folder.toString(),
                    "a classifier of strings that names its task",
                    origin.model().isClassifier()
                        ? "a classifier without a task"
                        : "a language model of the tokens of " + origin.tokenizer().name(),
                    "name a checkpoint that was trained on strings"));
  }

  /**
   * Loads the model's tensors. Matrices that the file stores in 16 bits stay as they are, unless
   * this checkpoint {@linkplain #widened widens} them.
   *
   * @param device the device of the weights
   * @return the weights, to be closed by the caller
   * @throws DataFormatException if the file does not hold this model's tensors
   */
  public Weights weights(Device device) throws IOException {
    try (Tensors tensors = tensors()) {
      return Weights.stored(origin.model(), tensors, device, isWidened);
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
   * Restores the stored moments into an optimizer of the same model.
   *
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
