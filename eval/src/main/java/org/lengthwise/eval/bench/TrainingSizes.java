package org.lengthwise.eval.bench;

import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.model.ModelConfig;

/**
 * Training steps on random tokens.
 *
 * @param steps how many
 * @param length T
 * @param batch the sequences of a step
 * @param model the model
 * @param optimizer its optimiser; the largest rate is used throughout
 */
public record TrainingSizes(
    int steps, int length, int batch, ModelConfig model, OptimizerConfig optimizer) {

  /** Checks the values. */
  public TrainingSizes {
    BenchConfig.requirePositive("steps", steps);
    BenchConfig.requirePositive("length", length);
    BenchConfig.requirePositive("batch", batch);
  }

  int tokensPerStep() {
    return length * batch;
  }
}
