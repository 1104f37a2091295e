package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.model.ModelConfig;

/** Where a checkpoint's model comes from, and what one must know of it to measure it. */
public sealed interface ModelOrigin permits RunDescription, ImportedModel {

  /**
   * Reads a description: what was imported names its source, a training run does not. The version
   * is asked before anything else is read, for other versions have other keys.
   *
   * @param where what the description was read from
   * @param json the description as JSON
   * @return the description
   * @throws JsonProcessingException if it is none that this release writes
   * @throws DataFormatException if it is of another format version
   */
  static ModelOrigin parse(String where, String json) throws JsonProcessingException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    JsonNode tree = mapper.readTree(json);
    int version = tree.path("format_version").asInt();
    if (version != RunDescription.FORMAT_VERSION) {
      throw new DataFormatException(
          where,
          "format version " + RunDescription.FORMAT_VERSION,
          "version " + version,
          "use the release that wrote it");
    }
    return tree.has("source")
        ? mapper.readValue(json, ImportedModel.class)
        : mapper.readValue(json, RunDescription.class);
  }

  /**
   * The model's name in results and reports.
   *
   * @return the run's name, the same for all seeds, or the one given on import
   */
  String name();

  /**
   * The seed that the model was trained with.
   *
   * @return the seed; 0 if other software trained it and did not say
   */
  long seed();

  /**
   * The model's shape.
   *
   * @return its shape, the positional scheme included
   */
  ModelConfig model();

  /**
   * T_tr, the length of the sequences that the model was trained on.
   *
   * @return the length in tokens
   */
  int length();

  /**
   * Whose ids the model reads.
   *
   * @return the tokenizer's identity
   */
  TokenizerIdentity tokenizer();

  /**
   * The software that wrote the checkpoint.
   *
   * @return its build
   */
  BuildInfo build();
}
