package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.safetensors.SafetensorsWriter;
import org.lengthwise.training.safetensors.TensorSource;

/** The files of a checkpoint: writes them, and reads what describes the tensors. */
public final class CheckpointFolder {
  static final String MODEL = "model.safetensors";
  static final String OPTIMIZER = "optimizer.safetensors";
  static final String STATES = "states.safetensors";
  static final String TOKENIZER = "tokenizer.json";
  private static final String CONFIG = "config.json";
  private static final String STATE = "state.json";

  private CheckpointFolder() {}

  /**
   * Writes a checkpoint. The folder appears complete or not at all.
   *
   * @param tensors the model's weights, their moments and the streams' states, unchanged until this
   *     method returns
   * @param tokenizer the {@code tokenizer.json} of the model that a second stage started from, if
   *     there is one
   */
  public static void write(
      Path folder, RunDescription run, TrainState state, Snapshot tensors, Optional<Path> tokenizer)
      throws IOException {
    ArtifactFolder.create(
        folder,
        temporary -> {
          SafetensorsWriter.write(
              temporary.resolve(MODEL), Map.of(), tensors.weights(), tensors::numbers);
          SafetensorsWriter.write(
              temporary.resolve(OPTIMIZER), Map.of(), tensors.moments(), tensors::numbers);
          if (!tensors.states().isEmpty()) {
            SafetensorsWriter.write(
                temporary.resolve(STATES), Map.of(), tensors.states(), tensors::numbers);
          }
          copy(tokenizer, temporary);
          describe(temporary, run, state);
        });
  }

  /**
   * Writes a checkpoint of an imported model, with a copy of its {@code tokenizer.json} if there is
   * one.
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
          copy(tokenizer, temporary);
          describe(temporary, origin, state);
        });
  }

  private static void copy(Optional<Path> tokenizer, Path folder) throws IOException {
    if (tokenizer.isPresent()) {
      Files.copy(tokenizer.get(), folder.resolve(TOKENIZER));
    }
  }

  /** The files with checksums. An imported model has no moments. */
  private static Set<String> files(ModelOrigin origin, boolean hasTokenizer) {
    Set<String> files = new TreeSet<>(Set.of(MODEL, CONFIG));
    if (origin instanceof RunDescription run) {
      files.add(OPTIMIZER);
      if (run.config().training().states() == LoopConfig.States.CARRIED) {
        files.add(STATES);
      }
    }
    if (hasTokenizer) {
      files.add(TOKENIZER);
    }
    return files;
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
   * {@return whether a folder is a checkpoint, finished or damaged, not a model of other software}
   */
  public static boolean isOurs(Path folder) {
    return Files.exists(folder.resolve(STATE));
  }

  /** {@return the origin of a checkpoint's model, read without verifying any checksum} */
  public static ModelOrigin origin(Path folder) throws IOException {
    Path config = folder.resolve(CONFIG);
    return read(config, json -> ModelOrigin.parse(config.toString(), json));
  }

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

  /** {@return the state of a checkpoint, read without verifying any checksum} */
  static TrainState state(Path folder) throws IOException {
    return read(folder.resolve(STATE), TrainState::parse);
  }

  /**
   * {@return the size of a checkpoint in bytes: each weight and its two moments, without names and
   * descriptions}
   */
  public static long numBytes(long numParameters) {
    return 3L * Float.BYTES * numParameters;
  }

  /** Compares the checksum of every file. */
  static void verify(Path folder, ModelOrigin origin, TrainState state) throws IOException {
    Set<String> expected = files(origin, state.files().containsKey(TOKENIZER));
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
}
