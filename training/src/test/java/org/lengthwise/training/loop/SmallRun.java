package org.lengthwise.training.loop;

import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.data.RepeatingTokens;
import org.lengthwise.training.data.TrainingData;

/** A run that takes seconds: two layers over a small grammar, a checkpoint every ten steps. */
final class SmallRun {
  static final int VOCABULARY = 11;

  private SmallRun() {}

  static TrainingData data() {
    TokenStream tokens = new RepeatingTokens(400, VOCABULARY);
    return new TrainingData(tokens, tokens);
  }

  static RunDescription describe(PositionalScheme scheme, LoopConfig loop, double rate) {
    TrainingConfig config =
        new TrainingConfig(
            scheme.label(),
            5,
            new TrainingConfig.ModelSize(2, 32, 2),
            scheme,
            new OptimizerConfig(rate, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1),
            loop);
    String nowhere = "0".repeat(64);
    return RunDescription.of(
        config, new DataIdentity(new TokenizerIdentity("test", nowhere, VOCABULARY, 0), nowhere));
  }

  static LoopConfig loop(int steps, int microBatch, Precision precision) {
    return Loops.every(Loops.on(Loops.of(16, 4, steps), "cpu", microBatch, precision), 10, 3, 4);
  }
}
