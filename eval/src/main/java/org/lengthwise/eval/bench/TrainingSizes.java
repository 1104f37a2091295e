package org.lengthwise.eval.bench;

import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.model.ModelConfig;

/**
 * Training steps on random tokens.
 *
 * @param steps how many
 * @param length T
 * @param batch the sequences of a step
 * @param microBatch the sequences that go through the model at a time; a divisor of batch
 * @param model the model
 * @param optimizer its optimiser; the largest rate is used throughout
 */
public record TrainingSizes(
    int steps,
    int length,
    int batch,
    int microBatch,
    ModelConfig model,
    OptimizerConfig optimizer) {

  /** Checks the values. */
  public TrainingSizes {
    BenchConfig.requirePositive("steps", steps);
    BenchConfig.requirePositive("length", length);
    BenchConfig.requirePositive("batch", batch);
    BenchConfig.requirePositive("micro_batch", microBatch);
    if (batch % microBatch != 0) {
      throw new IllegalArgumentException(
          "micro_batch: expected a divisor of batch %d, found %d".formatted(batch, microBatch));
    }
  }

  int tokensPerStep() {
    return length * batch;
  }
}
