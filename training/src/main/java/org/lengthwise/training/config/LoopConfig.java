package org.lengthwise.training.config;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.positional.attention.Precision;

/**
 * The step loop.
 *
 * @param length T, the tokens of a training sequence; for a task on strings, of the longest one
 * @param batch the sequences of a step
 * @param microBatch the sequences that a replica's model reads at a time; a divisor of batch
 * @param steps the number of steps
 * @param precision the format of the model's products
 * @param device the devices of the replicas: {@code cpu}, {@code cpu:2}, {@code gpu:0}, {@code
 *     gpu:0,1}, {@code gpu:all}
 * @param peakFlops the peak of a replica's device in operations per second, the base of model FLOPs
 *     utilisation; 0 for the peak that is known for the driver's name of the device, if there is
 *     one
 * @param metricsInterval steps between two lines of metrics
 * @param tensorboard whether metrics are also written as TensorBoard events
 * @param validation the interval and the size of validations
 * @param checkpoint when to write checkpoints
 * @param guard the definition of a divergence, and the reaction to it
 */
public record LoopConfig(
    int length,
    int batch,
    int microBatch,
    long steps,
    Precision precision,
    String device,
    @AbsentMeans(value = "0.0", inYaml = true) double peakFlops,
    int metricsInterval,
    boolean tensorboard,
    Validation validation,
    Checkpoints checkpoint,
    Guard guard) {

  /** Requires positive numbers, and a micro-batch that divides the batch. */
  public LoopConfig {
    Checks.atLeast("length", length, 1);
    Checks.atLeast("batch", batch, 1);
    Checks.atLeast("micro_batch", microBatch, 1);
    Checks.atLeast("steps", steps, 1);
    Checks.within("peak_flops", peakFlops, 0, Double.MAX_VALUE);
    Checks.atLeast("metrics_interval", metricsInterval, 1);
    Checks.require(
        batch % microBatch == 0, "micro_batch", "a divisor of batch " + batch, microBatch);
  }

  /** The same loop with sequences of another length. */
  LoopConfig withLength(int tokens) {
    return new LoopConfig(
        tokens,
        batch,
        microBatch,
        steps,
        precision,
        device,
        peakFlops,
        metricsInterval,
        tensorboard,
        validation,
        checkpoint,
        guard);
  }

  /**
   * {@return the number of sequences that each replica's model reads at a time: microBatch, or a
   * replica's share of the batch if the share is smaller}
   *
   * @param numReplicas how many replicas share the batch
   * @throws ConfigException if the replicas cannot share the batch equally
   */
  public int microBatch(int numReplicas) {
    int share = batch / numReplicas;
    int micro = Math.min(microBatch, share);
    if (batch % numReplicas != 0 || share % micro != 0) {
      throw new ConfigException(
          "training.batch",
          "a multiple of %s, and each share a multiple of micro_batch %d"
              .formatted(Count.of(numReplicas, "replica"), microBatch),
          String.valueOf(batch),
          "train on another number of devices, or change training.micro_batch");
    }
    return micro;
  }

  /**
   * {@return this loop with the settings of another one that a resumed run may change: devices and
   * their peak, micro-batch, intervals of metrics and checkpoints, and the reaction to a
   * divergence} These settings change neither the order of the data nor the updates, unless the run
   * diverges.
   *
   * @param other the configuration of the resumed run
   */
  public LoopConfig resumedAs(LoopConfig other) {
    return new LoopConfig(
        length,
        batch,
        other.microBatch,
        steps,
        precision,
        other.device,
        other.peakFlops,
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
   * @param sequences the number of sequences, spread evenly over the split
   */
  public record Validation(int interval, int sequences) {
    /** Requires positive numbers. */
    public Validation {
      Checks.atLeast("interval", interval, 1);
      Checks.atLeast("sequences", sequences, 1);
    }
  }

  /**
   * Checkpoints during training. Two checkpoints are always kept: that of the last step, and that
   * with the lowest validation loss among the validated checkpoints.
   *
   * @param interval steps between two checkpoints
   * @param keep the number of newest checkpoints to keep
   */
  public record Checkpoints(int interval, int keep) {
    /** Requires positive numbers. */
    public Checkpoints {
      Checks.atLeast("interval", interval, 1);
      Checks.atLeast("keep", keep, 1);
    }
  }

  /**
   * The guard against divergence. A divergence is a loss or gradient that is not finite, or a loss
   * far above the median of the latest losses.
   *
   * @param window the number of losses in the median; in the first {@code window} steps no loss is
   *     too large
   * @param jump a loss above this many times the median is a divergence
   * @param action the reaction
   * @param learningRateFactor the factor of the learning rate after a roll-back
   */
  public record Guard(int window, double jump, Action action, double learningRateFactor) {
    /** Requires {@code window >= 1}, {@code jump >= 1}, and {@code 0 < learningRateFactor <= 1}. */
    public Guard {
      Checks.atLeast("window", window, 1);
      Checks.within("jump", jump, 1, Double.MAX_VALUE);
      Checks.require(
          learningRateFactor > 0 && learningRateFactor <= 1,
          "learning_rate_factor",
          "a number above 0 and at most 1",
          learningRateFactor);
    }

    /** The same limits, with the reaction of another guard. */
    Guard resumedAs(Guard other) {
      return new Guard(window, jump, other.action, other.learningRateFactor);
    }

    /** The reaction to a divergence. */
    public enum Action {
      /** The run ends. */
      STOP,
      /** Once in a run: it returns to its last checkpoint, with a lower learning rate. */
      ROLL_BACK
    }
  }
}
