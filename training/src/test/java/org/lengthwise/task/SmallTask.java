package org.lengthwise.task;

import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.training.config.TrainingConfig;

/** Language modelling over 400 tokens of a small grammar. */
public final class SmallTask {
  private static final int NUM_TOKENS = 400;

  private SmallTask() {}

  /** The task of a run, over a vocabulary of some size. */
  public static Task of(TrainingConfig config, int vocabulary) {
    return of(config, new TokenizerIdentity("test", "0".repeat(64), vocabulary, 0));
  }

  /** The task of a run, over the ids of a tokenizer. */
  public static Task of(TrainingConfig config, TokenizerIdentity tokenizer) {
    TokenStream tokens = new RepeatingTokens(NUM_TOKENS, tokenizer.vocabularySize());
    return new LanguageModelling(
        new DataIdentity(tokenizer, "0".repeat(64)), tokens, tokens, config);
  }
}
