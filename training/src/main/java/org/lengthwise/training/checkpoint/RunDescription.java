package org.lengthwise.training.checkpoint;

import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.model.ModelConfig;

/**
 * The training run that made a checkpoint.
 *
 * @param formatVersion the version of the checkpoint's format
 * @param model the model's shape
 * @param config the resolved configuration
 * @param data the training data
 * @param build the software
 */
public record RunDescription(
    int formatVersion, ModelConfig model, TrainingConfig config, DataIdentity data, BuildInfo build)
    implements ModelOrigin {
  /** The version that this software writes and reads. */
  public static final int FORMAT_VERSION = 2;

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public long seed() {
    return config.seed();
  }

  @Override
  public int length() {
    return config.training().length();
  }

  @Override
  public TokenizerIdentity tokenizer() {
    return data.tokenizer();
  }

  /**
   * The description of a run by this software.
   *
   * @param config the resolved configuration
   * @param data the training data
   * @return its description
   */
  public static RunDescription of(TrainingConfig config, DataIdentity data) {
    return new RunDescription(
        FORMAT_VERSION,
        config.modelConfig(data.tokenizer().vocabularySize()),
        config,
        data,
        BuildInfo.current());
  }
}
