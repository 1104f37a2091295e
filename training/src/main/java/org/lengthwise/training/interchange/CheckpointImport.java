package org.lengthwise.training.interchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.TrainState;

/**
 * Imports a model from files as a checkpoint that can be measured.
 *
 * @param name its name in results; null for the name in the files, or else the output folder's name
 * @param tokenizer {@code gpt2}, {@code bytes} or the path of a tokenizer.json; null for the
 *     tokenizer in the files, or GPT-2's if the vocabulary has its size
 */
public record CheckpointImport(@Nullable String name, @Nullable String tokenizer) {
  private static final int GPT2_VOCABULARY = 50_257;
  private static final int UNKNOWN = 0;

  /** Requires a name that file names can have. */
  public CheckpointImport {
    if (name != null) {
      requireName("--name", name);
    }
  }

  private static String nameOf(Path output) {
    Path last = output.toAbsolutePath().normalize().getFileName();
    return requireName("--output, without --name", last == null ? "" : last.toString());
  }

  private static String requireName(String where, String name) {
    try {
      Checks.name(where, name);
    } catch (InvalidValueException e) {
      throw new ConfigException(where, e.expected(), e.found(), "name the model with --name", e);
    }
    return name;
  }

  /**
   * Writes the checkpoint. The folder appears complete or not at all.
   *
   * @param sources a folder with {@code config.json} and safetensors files, or these files; a file
   *     that export wrote needs no {@code config.json}
   * @param output the checkpoint's folder, which must not exist
   * @return the checkpoint
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if a file or an option is missing
   * @throws DataFormatException if the decoder cannot compute this model
   */
  public Checkpoint write(List<Path> sources, Path output) throws IOException {
    ModelFiles files = ModelFiles.of(sources);
    try (TensorFiles tensors = TensorFiles.open(files.weights(), stored -> stored)) {
      if (tensors.metadata().containsKey(CheckpointExport.CONFIG_KEY)) {
        writeOwn(tensors, files, output);
        return Checkpoint.open(output);
      }
    }
    try (TensorFiles tensors = TensorFiles.open(files.weights(), Gpt2Layout::name)) {
      writeGpt2(tensors, files, output);
    }
    return Checkpoint.open(output);
  }

  private void writeOwn(TensorFiles tensors, ModelFiles files, Path output) throws IOException {
    String where = files.weights().get(0).toString();
    ModelOrigin stored;
    TrainState state;
    try {
      stored = ModelOrigin.parse(where, required(tensors, where, CheckpointExport.CONFIG_KEY));
      state = TrainState.parse(required(tensors, where, CheckpointExport.STATE_KEY));
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          where,
          "metadata that export writes",
          e.getOriginalMessage(),
          "export the checkpoint again",
          e);
    }
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(stored.model());
    shapes.forEach(tensors::require);
    tensors.requireOnly(shapes::containsKey);
    ImportedModel origin =
        new ImportedModel(
            ModelOrigin.FORMAT_VERSION,
            name == null ? stored.name() : name,
            stored.seed(),
            stored.model(),
            stored.length(),
            tokenizer == null ? stored.tokenizer() : identity(tokenizer, stored.model()),
            new ImportedModel.Source(
                CheckpointExport.FileFormat.SAFETENSORS.label(), files.checksums()),
            stored.stringTask().orElse(null),
            BuildInfo.current());
    Checkpoint.write(output, origin, state, tensor -> FloatBuffer.wrap(tensors.floats(tensor)));
  }

  private static String required(TensorFiles tensors, String where, String key) {
    String text = tensors.metadata().get(key);
    if (text == null) {
      throw new DataFormatException(
          where, "metadata " + key, "none", "export the checkpoint again");
    }
    return text;
  }

  private void writeGpt2(TensorFiles tensors, ModelFiles files, Path output) throws IOException {
    Path config =
        files
            .config()
            .orElseThrow(
                () ->
                    new ConfigException(
                        "--checkpoint",
                        "a config.json that describes " + files.weights().get(0),
                        "none",
                        "name it together with the weights"));
    ModelConfig model = Gpt2Config.read(config);
    Map<String, List<Integer>> theirs = Gpt2Layout.shapes(model);
    theirs.forEach(tensors::require);
    tensors.requireOnly(
        tensor ->
            theirs.containsKey(tensor)
                || Gpt2Layout.isBuffer(tensor)
                || tensor.equals(Gpt2Layout.HEAD));
    requireTiedHead(tensors, files);
    ImportedModel origin =
        new ImportedModel(
            ModelOrigin.FORMAT_VERSION,
            name == null ? nameOf(output) : name,
            UNKNOWN,
            model,
            Math.toIntExact(model.position().longestLength()),
            identity(tokenizer == null ? tokenizerOf(model) : tokenizer, model),
            new ImportedModel.Source(CheckpointExport.FileFormat.GPT2.label(), files.checksums()),
            null,
            BuildInfo.current());
    Checkpoint.write(
        output,
        origin,
        TrainState.initial(UNKNOWN),
        tensor ->
            FloatBuffer.wrap(
                Gpt2Layout.transposed(
                    tensor, Objects.requireNonNull(theirs.get(tensor)), tensors.floats(tensor))));
  }

  private static void requireTiedHead(TensorFiles tensors, ModelFiles files) throws IOException {
    if (tensors.has(Gpt2Layout.HEAD)
        && !Arrays.equals(tensors.floats(Gpt2Layout.HEAD), tensors.floats(Gpt2Layout.EMBEDDING))) {
      throw new DataFormatException(
          files.weights().get(0).toString(),
          Gpt2Layout.HEAD + " equal to the token embedding (tied weights)",
          "other numbers",
          "use a checkpoint with tied embeddings");
    }
  }

  private static String tokenizerOf(ModelConfig model) {
    if (model.vocabulary() == GPT2_VOCABULARY) {
      return "gpt2";
    }
    throw new ConfigException(
        "--tokenizer",
        "the tokenizer of a model with %d ids".formatted(model.vocabulary()),
        "nothing",
        "name gpt2, bytes or a tokenizer.json");
  }

  private static TokenizerIdentity identity(String specification, ModelConfig model) {
    try (Tokenizer found = Tokenizers.of(specification)) {
      if (found.vocabularySize() > model.vocabulary()) {
        throw new ConfigException(
            "--tokenizer " + specification,
            "a tokenizer of at most %d ids, the model's vocabulary".formatted(model.vocabulary()),
            found.vocabularySize() + " ids",
            "name the tokenizer that the model was trained with");
      }
      return new TokenizerIdentity(
          found.name(), found.sha256(), found.vocabularySize(), found.endOfText());
    }
  }
}
