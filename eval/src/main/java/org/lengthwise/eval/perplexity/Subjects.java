package org.lengthwise.eval.perplexity;

import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.eval.result.EvaluatedCheckpoint;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;

/** Checkpoints as the subjects of measurements. */
public final class Subjects {
  private Subjects() {}

  /**
   * How results name a checkpoint.
   *
   * @param checkpoint the checkpoint
   * @return its name in results
   */
  public static EvaluatedCheckpoint of(Checkpoint checkpoint) {
    TrainingConfig config = checkpoint.run().config();
    return new EvaluatedCheckpoint(
        config.name(),
        config.position().label(),
        config.seed(),
        checkpoint.folder().toString(),
        checkpoint.state().step(),
        config.training().length());
  }

  /**
   * Checks that a checkpoint and data speak of the same tokens.
   *
   * @param checkpoint the checkpoint
   * @param shards the data
   * @throws ConfigException if their tokenizers differ
   */
  public static void requireSameTokenizer(Checkpoint checkpoint, ShardFolder shards) {
    TokenizerIdentity expected = checkpoint.run().data().tokenizer();
    TokenizerIdentity found = shards.manifest().tokenizer();
    if (!expected.equals(found)) {
      throw new ConfigException(
          "--data",
          "tokens of " + expected.name() + ", as " + checkpoint.folder() + " was trained on",
          "tokens of " + found.name(),
          "prepare the text with the checkpoint's tokenizer");
    }
  }
}
