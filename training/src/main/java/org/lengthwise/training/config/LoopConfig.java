package org.lengthwise.training.config;

import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.positional.attention.Precision;

/**
 * The step loop.
 *
 * @param length T, the tokens of a training sequence
 * @param batch the sequences of a step
 * @param microBatch the sequences that go through the model at a time; a divisor of batch
 * @param steps how many steps
 * @param precision the format of the model's products
 * @param device where replicas live: {@code cpu}, {@code cpu:2}, {@code gpu:0}, {@code gpu:0,1},
 *     {@code gpu:all}
 * @param metricsInterval steps between two lines of metrics
 * @param tensorboard whether the metrics are written as TensorBoard's events as well
 * @param validation when and on how much to validate
 * @param checkpoint when to write checkpoints
 * @param guard what counts as a divergence, and what follows
 */
public record LoopConfig(
    int length,
    int batch,
    int microBatch,
    long steps,
    Precision precision,
    String device,
    int metricsInterval,
    boolean tensorboard,
    Validation validation,
    Checkpoints checkpoint,
    Guard guard) {

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
   * The sequences that go through each replica's model at a time.
   *
   * @param numReplicas how many replicas share the batch
   * @return microBatch, or a replica's share of the batch where that is less
   * @throws ConfigException if the batch cannot be shared equally in this way
   */
  public int microBatch(int numReplicas) {
    int share = batch / numReplicas;
    int micro = Math.min(microBatch, share);
    if (batch % numReplicas != 0 || share % micro != 0) {
      throw new ConfigException(
          "training.batch",
          "a multiple of %d replicas, and each share a multiple of micro_batch %d"
              .formatted(numReplicas, microBatch),
          String.valueOf(batch),
          "train on another number of devices, or change training.micro_batch");
    }
    return micro;
  }

  /**
   * The same loop as it may go on: with another's devices, micro-batch, intervals of metrics and
   * checkpoints, and answer to a divergence, none of which changes what is learnt from here on, or
   * in which order, unless the run diverges.
   *
   * @param other what the run is asked to go on with
   * @return the loop
   */
  public LoopConfig resumedAs(LoopConfig other) {
    return new LoopConfig(
        length,
        batch,
        other.microBatch,
        steps,
        precision,
        other.device,
        other.metricsInterval,
        other.tensorboard,
        validation,
        other.checkpoint,
        guard.resumedAs(other.guard));
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
   * Checkpoints during training. The last step's is always kept, and so is the one with the lowest
   * validation loss among those whose own step was validated.
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

  /**
   * What stops a run that diverges: a loss or gradient that is not finite, or a loss far above
   * those before it.
   *
   * @param window how many losses the median is taken of; none is a jump before there are as many
   * @param jump how many times the median a loss must exceed to be a jump
   * @param action what follows
   * @param learningRateFactor what the learning rate is multiplied by after a roll-back
   */
  public record Guard(int window, double jump, Action action, double learningRateFactor) {
    /** Checks the values. */
    public Guard {
      Checks.atLeast("window", 1, window);
      Checks.within("jump", 1, Double.MAX_VALUE, jump);
      Checks.within("learning_rate_factor", Double.MIN_VALUE, 1, learningRateFactor);
    }

    /** Notices the same divergences, and answers them as another does. */
    Guard resumedAs(Guard other) {
      return new Guard(window, jump, other.action, other.learningRateFactor);
    }

    /** What follows a divergence. */
    public enum Action {
      /** The run ends. */
      STOP,
      /** Once in a run: it goes back to its last checkpoint, with a lower learning rate. */
      ROLL_BACK
    }
  }
}
