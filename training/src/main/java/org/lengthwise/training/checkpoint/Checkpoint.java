package org.lengthwise.training.checkpoint;

import static org.lengthwise.training.checkpoint.CheckpointFolder.MODEL;
import static org.lengthwise.training.checkpoint.CheckpointFolder.OPTIMIZER;
import static org.lengthwise.training.checkpoint.CheckpointFolder.STATES;
import static org.lengthwise.training.checkpoint.CheckpointFolder.TOKENIZER;

import ai.djl.Device;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
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
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.optimizer.AdamW;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.Tensors;

/**
 * A finished checkpoint folder, or a folder of other software that is read as one.
 *
 * @param opener opens the weights
 * @param moments opens the moments of the optimizer; empty if it has none, which are then zeros
 * @param isWidened whether matrices are loaded in float32, also those that are stored in 16 bits
 */
public record Checkpoint(
    Path folder,
    ModelOrigin origin,
    TrainState state,
    Opener opener,
    Optional<Opener> moments,
    boolean isWidened) {
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
   * @param checksums the SHA-256 of each file by name
   */
  public static Checkpoint ofFiles(
      Path folder, ImportedModel origin, Map<String, String> checksums, Opener opener) {
    Map<String, String> files = new TreeMap<>(checksums);
    // Several files of weights have one checksum: that of their own.
    files.computeIfAbsent(
        MODEL, name -> Sha256.of(checksums.toString().getBytes(StandardCharsets.UTF_8)));
    return new Checkpoint(
        folder, origin, TrainState.initial(0).with(files), opener, Optional.empty(), false);
  }

  /** {@return the same checkpoint, whose matrices are all loaded in float32} */
  public Checkpoint widened() {
    return new Checkpoint(folder, origin, state, opener, moments, true);
  }

  /** {@return the copy of the model's {@code tokenizer.json}, if the checkpoint has one} */
  public Optional<Path> tokenizerFile() {
    return state.files().containsKey(TOKENIZER)
        ? Optional.of(folder.resolve(TOKENIZER))
        : Optional.empty();
  }

  /** Opens a checkpoint and checks every file's checksum. */
  public static Checkpoint open(Path folder) throws IOException {
    if (!ArtifactFolder.isDone(folder)) {
      throw new DataFormatException(
          folder.toString(),
          "a finished checkpoint",
          Files.isDirectory(folder)
              ? "a folder with neither the marker DONE nor checkpoints"
              : Files.exists(folder) ? "a file" : "no such folder",
          "name a checkpoint folder, a run's folder that holds checkpoints (of several runs, each one),"
              + " or the folder of a model with its config.json and model*.safetensors");
    }
    Checkpoint checkpoint = described(folder);
    CheckpointFolder.verify(folder, checkpoint.origin(), checkpoint.state());
    return checkpoint;
  }

  /**
   * {@return a checkpoint as its folder describes it} No checksum is verified, so the files of
   * tensors may have been deleted.
   */
  public static Checkpoint described(Path folder) throws IOException {
    ModelOrigin origin = CheckpointFolder.origin(folder);
    Opener moments = () -> SafetensorsFile.open(folder.resolve(OPTIMIZER));
    return new Checkpoint(
        folder,
        origin,
        CheckpointFolder.state(folder),
        () -> SafetensorsFile.open(folder.resolve(MODEL)),
        origin instanceof RunDescription ? Optional.of(moments) : Optional.empty(),
        false);
  }

  /** {@return the same checkpoint with another state} */
  public Checkpoint with(TrainState other) {
    return new Checkpoint(folder, origin, other, opener, moments, isWidened);
  }

  public RunDescription run() {
    if (origin instanceof RunDescription run) {
      return run;
    }
    throw new ConfigException(
        folder.toString(),
        "a checkpoint of a training run",
        "an imported model or a constructed one, which has no training run",
        "use a checkpoint that train wrote");
  }

  /** {@return the SHA-256 of {@code model.safetensors}, the file of the weights, in hexadecimal} */
  public String modelSha256() {
    return Objects.requireNonNull(state.files().get(MODEL));
  }

  public Tensors tensors() throws IOException {
    return opener.open();
  }

  /**
   * {@return the ranges of biases of each head, {@link ParameterSpec#biasRanges}, by the name of
   * each learnable table}
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
   * @throws ConfigException if a formula has no finite bias at a distance below the length
   */
  public void requireFinite(long length) throws IOException {
    ModelConfig model = origin.model();
    PositionalScheme scheme = model.position();
    if (!scheme.hasFormula()) {
      return;
    }
    List<PositionalValues> blocks = new ArrayList<>();
    try (Tensors tensors = tensors()) {
      for (int k = 0; k < model.layers(); k++) {
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
        blocks.add(new PositionalValues(model.heads(), model.headWidth(), k, length, numbers));
      }
      scheme.requireFinite(blocks, length);
    } catch (InvalidValueException e) {
      throw new ConfigException(
          folder + ", " + e.key() + " of its formula up to length " + length,
          e.expected(),
          e.found(),
          "measure shorter texts, or train with another formula",
          e);
    }
  }

  /** Requires a language model. */
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

  /** {@return the tokens of the training, with those of its own source; 0 if unknown} */
  public long tokensRead() {
    Optional<StartConfig> stage =
        origin instanceof RunDescription run ? run.config().stage() : Optional.empty();
    boolean isKnown = stage.isEmpty() || stage.get().tokensBefore() > 0;
    return isKnown ? state.tokens() + stage.map(StartConfig::tokensBefore).orElse(0L) : 0;
  }

  /** {@return the name or file that opens the tokenizer; empty if there is no copy of the file} */
  public Optional<String> tokenizerName() {
    String name = origin.tokenizer().name();
    return tokenizerFile()
        .map(Path::toString)
        .or(() -> Optional.of(name).filter(Tokenizers::isBuiltIn));
  }

  /** Requires a classifier of strings. */
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

  /** {@return the numbers of the streams' states by name; empty if the run carries none} */
  public Map<String, float[]> states() throws IOException {
    Map<String, float[]> states = new HashMap<>();
    if (state.files().containsKey(STATES)) {
      try (SafetensorsFile file = SafetensorsFile.open(folder.resolve(STATES))) {
        for (String name : file.tensors().keySet()) {
          states.put(name, file.floats(name));
        }
      }
    }
    return states;
  }

  /** Restores the stored moments into an optimizer of the same model. */
  public void restore(AdamW optimizer) throws IOException {
    if (moments.isEmpty()) {
      return;
    }
    Path file = folder.resolve(OPTIMIZER);
    try (Tensors tensors = moments.get().open()) {
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
