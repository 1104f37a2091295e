package org.lengthwise.training.data;

import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;

/**
 * The tokens a run learns from and is watched on.
 *
 * @param train the training split
 * @param validation the validation split
 */
public record TrainingData(TokenStream train, TokenStream validation) {

  /**
   * The splits of a shard folder.
   *
   * @param shards the folder, kept open by the caller
   * @return its training and validation tokens
   */
  public static TrainingData of(ShardFolder shards) {
    return new TrainingData(shards.tokens(Split.TRAIN), shards.tokens(Split.VALIDATION));
  }
}
