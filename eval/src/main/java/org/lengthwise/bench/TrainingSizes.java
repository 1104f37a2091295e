package org.lengthwise.bench;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * The sizes of training steps on random tokens.
 *
 * @param steps the number of steps
 * @param length T, the length of a sequence
 * @param batch the number of sequences of a step
 * @param microBatch the number of sequences of a forward pass, a divisor of batch
 * @param model the model
 * @param optimizer the optimizer; its largest learning rate is used in every step
 */
public record TrainingSizes(
    @Unit("steps") int steps,
    @Unit("tokens") int length,
    @Unit("sequences") int batch,
    @Unit("sequences") int microBatch,
    ModelConfig model,
    OptimizerConfig optimizer) {

  /** Requires positive numbers, and a micro-batch that divides the batch. */
  public TrainingSizes {
    Checks.atLeast("steps", steps, 1);
    Checks.atLeast("length", length, 1);
    Checks.atLeast("batch", batch, 1);
    Checks.atLeast("micro_batch", microBatch, 1);
    Checks.require(
        batch % microBatch == 0, "micro_batch", "a divisor of batch " + batch, microBatch);
  }

  int tokensPerStep() {
    return length * batch;
  }
}
