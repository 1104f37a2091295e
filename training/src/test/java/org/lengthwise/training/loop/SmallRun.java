package org.lengthwise.training.loop;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.SmallTask;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/** A run that takes seconds: two layers over a small grammar, a checkpoint every ten steps. */
final class SmallRun {
  static final int VOCABULARY = 11;

  private SmallRun() {}

  static Task task(RunDescription run) {
    return SmallTask.of(run.config(), VOCABULARY);
  }

  static RunDescription describe(PositionalScheme scheme, LoopConfig loop, double rate) {
    TrainingConfig config =
        new TrainingConfig(
            scheme.label(),
            5,
            new TrainingConfig.ModelSize(2, 32, 2),
            scheme,
            new OptimizerConfig(rate, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1),
            loop);
    return RunDescription.of(config, SmallTask.of(config, VOCABULARY));
  }

  static LoopConfig loop(int steps, int microBatch, Precision precision) {
    return Loops.every(Loops.on(Loops.of(16, 4, steps), "cpu", microBatch, precision), 10, 3, 4);
  }
}
