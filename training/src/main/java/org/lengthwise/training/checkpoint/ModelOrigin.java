package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.TaskConfig;

/**
 * The origin of a checkpoint's model: a training run or an import. It holds all values that a
 * measurement needs.
 */
public sealed interface ModelOrigin permits RunDescription, ImportedModel {

  /** The version of the checkpoint format that is written and read. */
  int FORMAT_VERSION = 3;

  /** Reads a description. An imported model names its source, a training run does not. */
  static ModelOrigin parse(String where, String json) throws JsonProcessingException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    JsonNode tree = mapper.readTree(json);
    int version = tree.path("format_version").asInt();
    if (version != FORMAT_VERSION) {
      throw new DataFormatException(
          where,
          "format version " + FORMAT_VERSION,
          "version " + version,
          "use the release that wrote it");
    }
    return tree.has("source")
        ? mapper.treeToValue(tree, ImportedModel.class)
        : mapper.treeToValue(tree, RunDescription.class);
  }

  /**
   * {@return the model's name in results and reports: the run's name, the same for all seeds, or
   * the imported model's name}
   */
  String name();

  /** {@return the seed that the model was trained with; 0 if unknown} */
  long seed();

  /** {@return the seed of the positions that a scheme draws in passes that do not train} */
  default long positionSeed() {
    return new RandomStreams(seed()).seedOf("positions");
  }

  ModelConfig model();

  /** {@return T_tr, the length in tokens of the sequences that the model was trained on} */
  int length();

  /** {@return T_tr in tokens, also for a task whose letters or instructions are several tokens} */
  default int trainedTokens() {
    return stringTask().map(TaskConfig::longestTokens).orElse(length());
  }

  /**
   * {@return whether the scheme can be changed so at test time, as {@link ModelConfig#allows} says}
   */
  default boolean allows(PositionChange change) {
    return model().allows(change, trainedTokens());
  }

  TokenizerIdentity tokenizer();

  /** {@return the task of a model of strings; empty for a model of a text, and if it is unknown} */
  default Optional<TaskConfig> stringTask() {
    return Optional.empty();
  }

  /**
   * {@return the id of BOS, which the model reads before every document; empty if it was trained
   * without, as all runs are}
   */
  default Optional<Integer> bos() {
    return Optional.empty();
  }

  BuildInfo build();
}
