package org.lengthwise.training.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.model.ModelConfig;

/**
 * A model that was brought in from a file: it can be measured, and not trained further, for there
 * is neither a configuration nor an optimiser's state.
 *
 * @param formatVersion the version of the checkpoint's format
 * @param name its name in results and reports
 * @param seed the seed of its training; 0 where that is not known
 * @param model its shape
 * @param length T_tr; where only the number of learned positions is known, that number
 * @param tokenizer whose ids it reads
 * @param source where it came from
 * @param build the software that brought it in
 */
public record ImportedModel(
    int formatVersion,
    String name,
    long seed,
    ModelConfig model,
    int length,
    TokenizerIdentity tokenizer,
    Source source,
    BuildInfo build)
    implements ModelOrigin {

  /** Checks the values. */
  public ImportedModel {
    if (!name.matches(TrainingConfig.NAME)) {
      throw new IllegalArgumentException(
          "name: expected letters, digits, '.', '_' and '-', found '" + name + "'");
    }
    if (tokenizer.vocabularySize() > model.vocabulary()) {
      throw new IllegalArgumentException(
          "tokenizer: expected at most %d ids, the model's vocabulary, found %d"
              .formatted(model.vocabulary(), tokenizer.vocabularySize()));
    }
  }

  /**
   * The files that a model was read from.
   *
   * @param layout {@code gpt2} or {@code safetensors}
   * @param files the SHA-256 of each, in hexadecimal, by file name
   */
  public record Source(String layout, Map<String, String> files) {
    /** Checks the values. */
    public Source {
      files = Collections.unmodifiableMap(new TreeMap<>(files));
    }
  }
}
