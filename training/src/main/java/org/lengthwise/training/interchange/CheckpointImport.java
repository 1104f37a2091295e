package org.lengthwise.training.interchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.BosRule;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.TrainState;

/**
 * Imports a model from files as a checkpoint that can be measured and trained on.
 *
 * @param name its name in results; null for the name in the files, or else the output folder's name
 * @param tokenizer {@code gpt2}, {@code bytes} or the path of a tokenizer.json; null for the
 *     tokenizer in the files, or else GPT-2's if the vocabulary has its size
 */
public record CheckpointImport(@Nullable String name, @Nullable String tokenizer) {
  private static final int GPT2_VOCABULARY = 50_257;
  private static final int UNKNOWN = 0;
  private static final Logger LOG = LogManager.getLogger(CheckpointImport.class);

  public CheckpointImport {
    if (name != null) {
      requireName("--name", name);
    }
  }

  private static String nameOf(Path folder, String where) {
    Path last = folder.toAbsolutePath().normalize().getFileName();
    return requireName(where, last == null ? "" : last.toString());
  }

  private static String requireName(String where, String name) {
    try {
      Checks.name(where, name);
    } catch (InvalidValueException e) {
      throw new ConfigException(
          where, e.expected(), e.found(), "rename the folder, or import it with --name", e);
    }
    return name;
  }

  /**
   * Writes the checkpoint. The folder appears complete or not at all.
   *
   * @param sources a folder with {@code config.json} and safetensors files, or these files; a file
   *     that export wrote needs no {@code config.json}
   * @throws ConfigException if a file or an option is missing, or the decoder cannot compute this
   *     model
   * @throws DataFormatException if a file is damaged
   */
  public Checkpoint write(List<Path> sources, Path output) throws IOException {
    ModelFiles files = ModelFiles.of(sources);
    try (TensorFiles tensors = TensorFiles.open(files, stored -> stored)) {
      if (tensors.metadata().containsKey(CheckpointExport.CONFIG_KEY)) {
        writeOwn(tensors, files, output);
        return Checkpoint.open(output);
      }
    }
    FamilyConfig config = FamilyConfig.read(requireConfig(files));
    try (FamilyTensors tensors = open(config, files)) {
      ImportedModel origin =
          origin(
              config,
              files,
              tensors.metadata(),
              name == null ? nameOf(output, "--output, without --name") : name);
      CheckpointFolder.write(
          output,
          origin,
          TrainState.initial(UNKNOWN),
          tensor -> tensors.numbers(tensor).floats(),
          tokenizerFile(files, origin.tokenizer()));
    }
    return Checkpoint.open(output);
  }

  /**
   * Opens a folder of other software as a checkpoint. Nothing is written, and the matrices keep the
   * 16 bits that the files store. Without a name of this import, the checkpoint has that of the
   * folder.
   */
  public Checkpoint open(Path folder) throws IOException {
    ModelFiles files = ModelFiles.of(List.of(folder));
    FamilyConfig config = FamilyConfig.read(requireConfig(files));
    ImportedModel origin;
    try (FamilyTensors tensors = open(config, files)) { // rejects what cannot be computed
      origin =
          origin(
              config,
              files,
              tensors.metadata(),
              name == null ? nameOf(folder, folder.toString()) : name);
    }
    Map<String, String> checksums = new TreeMap<>(origin.source().files());
    Optional<Path> ids = tokenizerFile(files, origin.tokenizer());
    if (ids.isPresent()) {
      checksums.put(ModelFiles.TOKENIZER, origin.tokenizer().sha256());
    }
    return Checkpoint.ofFiles(folder, origin, checksums, () -> open(config, files));
  }

  private static FamilyTensors open(FamilyConfig config, ModelFiles files) throws IOException {
    Family family = config.family();
    Map<String, StoredTensor> stored = family.tensors(config.model());
    TensorFiles tensors = TensorFiles.open(files, family::fullName);
    boolean isSound = false;
    try {
      boolean isTied = config.model().form().tokens().tied();
      tensors.require(
          StoredTensor.shapes(stored.values()),
          other -> Family.isBuffer(other) || (isTied && other.equals(family.head())));
      if (isTied) {
        requireTiedHead(family, tensors, files);
      }
      isSound = true;
      return new FamilyTensors(tensors, stored);
    } finally {
      if (!isSound) {
        tensors.close();
      }
    }
  }

  private ImportedModel origin(
      FamilyConfig config, ModelFiles files, Map<String, String> metadata, String named)
      throws IOException {
    try {
      TokenizerIdentity identity = identity(files, metadata, config.model());
      return new ImportedModel(
          ModelOrigin.FORMAT_VERSION,
          named,
          UNKNOWN,
          config.model(),
          config.length(),
          identity,
          new ImportedModel.Source(config.family().label(), files.checksums()),
          null,
          metadata.containsKey(CheckpointExport.NO_BOS_KEY)
              ? null
              : bos(files, identity, config.model()).orElse(null),
          BuildInfo.current());
    } catch (JsonProcessingException | InvalidValueException e) {
      throw damagedMetadata(files, e);
    }
  }

  private static DataFormatException damagedMetadata(ModelFiles files, Exception e) {
    return new DataFormatException(
        files.weights().get(0).toString(),
        "metadata that export writes",
        String.valueOf(
            e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage()),
        "export the checkpoint again",
        e);
  }

  private void writeOwn(TensorFiles tensors, ModelFiles files, Path output) throws IOException {
    String where = files.weights().get(0).toString();
    ModelOrigin stored;
    TrainState state;
    try {
      stored = ModelOrigin.parse(where, required(tensors, where, CheckpointExport.CONFIG_KEY));
      state = TrainState.parse(required(tensors, where, CheckpointExport.STATE_KEY));
    } catch (JsonProcessingException e) {
      throw damagedMetadata(files, e);
    }
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(stored.model());
    tensors.require(shapes, other -> false);
    TokenizerIdentity identity =
        tokenizer == null ? stored.tokenizer() : identity(tokenizer, stored.model());
    ImportedModel origin =
        new ImportedModel(
            ModelOrigin.FORMAT_VERSION,
            name == null ? stored.name() : name,
            stored.seed(),
            stored.model(),
            stored.length(),
            identity,
            new ImportedModel.Source(CheckpointExport.OWN, files.checksums()),
            stored.stringTask().orElse(null),
            (identity.sha256().equals(stored.tokenizer().sha256())
                    ? stored.bos()
                    : bos(files, identity, stored.model()))
                .orElse(null),
            BuildInfo.current());
    CheckpointFolder.write(
        output,
        origin,
        state,
        tensor -> FloatBuffer.wrap(tensors.floats(tensor)),
        tokenizerFile(files, origin.tokenizer()));
  }

  private static String required(TensorFiles tensors, String where, String key) {
    String text = tensors.metadata().get(key);
    if (text == null) {
      throw new DataFormatException(
          where, "metadata " + key, "none", "export the checkpoint again");
    }
    return text;
  }

  private static Path requireConfig(ModelFiles files) {
    return files
        .config()
        .orElseThrow(
            () ->
                new ConfigException(
                    "--checkpoint",
                    "a config.json that describes " + files.weights().get(0),
                    "none",
                    "name it together with the weights"));
  }

  private static void requireTiedHead(Family family, TensorFiles tensors, ModelFiles files)
      throws IOException {
    if (tensors.has(family.head()) && !tensors.areEqual(family.head(), family.embedding())) {
      throw new ConfigException(
          files.weights().get(0).toString(),
          family.head() + " equal to the token embedding (tied weights)",
          "other numbers",
          "use a checkpoint with tied embeddings");
    }
  }

  private TokenizerIdentity identity(
      ModelFiles files, Map<String, String> metadata, ModelConfig model) throws IOException {
    if (tokenizer != null) {
      return identity(tokenizer, model);
    }
    if (files.tokenizer().isPresent()) {
      return identity(files.tokenizer().get().toString(), model);
    }
    String ours = metadata.get(CheckpointExport.TOKENIZER_KEY);
    if (ours != null) {
      return ConfigLoader.strictMapper().readValue(ours, TokenizerIdentity.class);
    }
    if (model.vocabulary() == GPT2_VOCABULARY) {
      return identity("gpt2", model);
    }
    LOG.warn(
        "{} has no tokenizer.json, so the model reads token ids only; import --tokenizer names one",
        files.weights().get(0).toAbsolutePath().getParent());
    return TokenizerIdentity.unknown(model.vocabulary());
  }

  /** The tokenizer.json of an identity, which the checkpoint keeps. */
  private Optional<Path> tokenizerFile(ModelFiles files, TokenizerIdentity identity)
      throws IOException {
    Optional<Path> file =
        Optional.ofNullable(tokenizer).flatMap(Tokenizers::file).or(files::tokenizer);
    return file.isPresent() && Sha256.of(file.get()).equals(identity.sha256())
        ? file
        : Optional.empty();
  }

  private Optional<Integer> bos(ModelFiles files, TokenizerIdentity identity, ModelConfig model)
      throws IOException {
    Optional<Path> file = tokenizerFile(files, identity);
    Optional<Integer> bos = file.map(BosRule::of).map(BosRule::id);
    if (bos.isPresent() && bos.get() >= model.vocabulary()) {
      throw new ConfigException(
          file.get().toString(),
          "BOS in the model's vocabulary of %s ids".formatted(model.vocabulary()),
          "id " + bos.get(),
          "name the tokenizer that the model was trained with");
    }
    return bos;
  }

  private static TokenizerIdentity identity(String specification, ModelConfig model) {
    try (Tokenizer found = Tokenizers.of(specification)) {
      if (found.largestTextId() >= model.vocabulary()) {
        throw new ConfigException(
            Tokenizers.file(specification)
                .map(Path::toString)
                .orElse("--tokenizer " + specification),
            "a tokenizer of at most %s ids, the model's vocabulary".formatted(model.vocabulary()),
            "%s ids, of which id %s is the first without a row in the embedding"
                .formatted(found.vocabularySize(), model.vocabulary()),
            "name the tokenizer that the model was trained with");
      }
      int withRows = Math.min(found.vocabularySize(), model.vocabulary());
      return new TokenizerIdentity(found.name(), found.sha256(), withRows, found.endOfText());
    }
  }
}
