package org.lengthwise.training.config;

import org.lengthwise.positional.attention.Precision;

/**
 * The step loop.
 *
 * @param length T, the tokens of a training sequence
 * @param batch the sequences of a step
 * @param microBatch the sequences that go through the model at a time; a divisor of batch
 * @param steps how many steps
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 * @param metricsInterval steps between two lines of metrics
 * @param validation when and on how much to validate
 * @param checkpoint when to write checkpoints
 */
public record LoopConfig(
    int length,
    int batch,
    int microBatch,
    long steps,
    Precision precision,
    String device,
    int metricsInterval,
    Validation validation,
    Checkpoints checkpoint) {

  /** Checks the values. */
  public LoopConfig {
    Checks.atLeast("length", 1, length);
    Checks.atLeast("batch", 1, batch);
    Checks.atLeast("micro_batch", 1, microBatch);
    Checks.atLeast("steps", 1, steps);
    Checks.atLeast("metrics_interval", 1, metricsInterval);
    if (batch % microBatch != 0) {
      throw new IllegalArgumentException(
          "micro_batch: expected a divisor of batch " + batch + ", found " + microBatch);
    }
  }

  /**
   * How many forward and backward passes add up to one step.
   *
   * @return batch / microBatch
   */
  public int accumulation() {
    return batch / microBatch;
  }

  /**
   * Validation during training.
   *
   * @param interval steps between two validations
   * @param sequences how many sequences, spread evenly over the split
   */
  public record Validation(int interval, int sequences) {
    /** Checks the values. */
    public Validation {
      Checks.atLeast("interval", 1, interval);
      Checks.atLeast("sequences", 1, sequences);
    }
  }

  /**
   * Checkpoints during training; the last step is always kept.
   *
   * @param interval steps between two checkpoints
   * @param keep how many of the newest stay
   */
  public record Checkpoints(int interval, int keep) {
    /** Checks the values. */
    public Checkpoints {
      Checks.atLeast("interval", 1, interval);
      Checks.atLeast("keep", 1, keep);
    }
  }
}
