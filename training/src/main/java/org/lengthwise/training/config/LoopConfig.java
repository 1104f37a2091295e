package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.positional.attention.AttentionKernel;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;

/**
 * The step loop.
 *
 * @param length T_tr, the length of a training sequence. The longest length of a task replaces it
 * @param batch the size of a step
 * @param microBatch how many sequences a replica's model reads at a time; a divisor of batch.
 *     Gradients are accumulated
 * @param steps the number of steps; 0 only to start from another model without training it
 * @param precision the format of the model's products
 * @param residual the format of the residual stream and of LayerNorm's output in training passes;
 *     bfloat16 needs the precision bfloat16. Validations and measurements have a stream in float32
 * @param attention the fused kernel of attention in training passes on a GPU
 * @param documents what a position of a window of text sees
 * @param states what linear recurrences know before the first position of a window of text
 * @param device the devices of the replicas: {@code cpu}, {@code cpu:2}, {@code gpu:0}, {@code
 *     gpu:0,1}, {@code gpu:all}
 * @param peakFlops the peak of a replica's device, the base of model FLOPs utilisation; with 0, the
 *     known peak of a device of that name, if there is one
 * @param metricsInterval the distance between two lines of metrics
 * @param tensorboard whether metrics are also written as TensorBoard events
 * @param validation the interval and the size of validations
 * @param stopWhenLearned whether a run on a recall task ends at the first validation that shows
 *     that the task is learned
 * @param checkpoint when to write checkpoints
 * @param guard the definition of a divergence, and the reaction to it
 */
public record LoopConfig(
    @Unit("tokens") int length,
    @Unit("sequences") int batch,
    @Unit("sequences") int microBatch,
    @Unit("steps") long steps,
    Precision precision,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Defaults.class)
        @AbsentMeans("\"float32\"")
        Precision residual,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Defaults.class)
        @AbsentMeans("\"auto\"")
        AttentionKernel attention,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Defaults.class)
        @AbsentMeans("\"cross\"")
        Documents documents,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = Defaults.class)
        @AbsentMeans("\"zero\"")
        States states,
    String device,
    @AbsentMeans("0.0") @Unit("operations per second") double peakFlops,
    @Unit("steps") int metricsInterval,
    boolean tensorboard,
    Validation validation,
    @AbsentMeans("false") boolean stopWhenLearned,
    Checkpoints checkpoint,
    Guard guard) {

  /**
   * Equals the defaults of keys that are not written, so that runs of builds without these keys
   * have the same description.
   */
  static final class Defaults {
    @Override
    public boolean equals(@Nullable Object value) {
      return value == Precision.FLOAT32
          || value == AttentionKernel.AUTO
          || value == Documents.CROSS
          || value == States.ZERO;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  public LoopConfig {
    Checks.atLeast("length", length, 1);
    Checks.atLeast("batch", batch, 1);
    Checks.atLeast("micro_batch", microBatch, 1);
    Checks.atLeast("steps", steps, 0);
    Checks.within("peak_flops", peakFlops, 0, Double.MAX_VALUE);
    Checks.atLeast("metrics_interval", metricsInterval, 1);
    Checks.require(
        residual == Precision.FLOAT32 || precision == Precision.BFLOAT16,
        "residual",
        "float32, because precision is float32",
        residual.label());
    Checks.require(
        batch % microBatch == 0, "micro_batch", "a divisor of batch " + batch, microBatch);
  }

  /** What a position of a window of text sees. */
  public enum Documents {
    /** All earlier tokens of the window, also of other documents. */
    CROSS,
    /** Tokens of its own document, whose positions begin at 0. */
    WITHIN
  }

  /** What linear recurrences know before the first position of a window of text. */
  public enum States {
    /** Nothing: states begin at 0. Windows have a random order. */
    ZERO,
    /**
     * The window before it, without a gradient: each sequence of the batch reads windows that
     * follow one another. Layers with attention see their window only.
     */
    CARRIED
  }

  LoopConfig withLength(int tokens) {
    return new LoopConfig(
        tokens,
        batch,
        microBatch,
        steps,
        precision,
        residual,
        attention,
        documents,
        states,
        device,
        peakFlops,
        metricsInterval,
        tensorboard,
        validation,
        stopWhenLearned,
        checkpoint,
        guard);
  }

  /** {@return how the model computes, with libtorch's attention} */
  public Numerics numerics() {
    return new Numerics(precision, residual, false);
  }

  /**
   * {@return the number of sequences that each replica's model reads at a time: microBatch, or a
   * replica's share of the batch if the share is smaller}
   *
   * @throws ConfigException if the replicas cannot share the batch equally
   */
  public int microBatch(int numReplicas) {
    int share = batch / numReplicas;
    int micro = Math.min(microBatch, share);
    if (batch % numReplicas != 0 || share % micro != 0) {
      throw new ConfigException(
          "training.batch",
          "a multiple of %s, and each share a multiple of micro_batch %s"
              .formatted(Count.of(numReplicas, "replica"), microBatch),
          String.valueOf(batch),
          "train on another number of devices, or change training.micro_batch");
    }
    return micro;
  }

  /**
   * {@return this loop with the settings of another one that a resumed run may change: devices and
   * their peak, attention kernel, micro-batch, intervals of metrics and checkpoints, and the
   * reaction to a divergence} These settings change neither the order of the data nor the updates,
   * unless the run diverges, or has dropout within documents and another micro-batch.
   */
  public LoopConfig resumedAs(LoopConfig other) {
    return new LoopConfig(
        length,
        batch,
        other.microBatch,
        steps,
        precision,
        residual,
        other.attention,
        documents,
        states,
        other.device,
        other.peakFlops,
        other.metricsInterval,
        other.tensorboard,
        validation,
        stopWhenLearned,
        other.checkpoint,
        guard.resumedAs(other.guard));
  }

  /**
   * Validation during training.
   *
   * @param interval the distance between two validations
   * @param sequences the size of a validation, spread evenly over the split; strings of a task,
   *     equally many of each length
   */
  public record Validation(@Unit("steps") int interval, @Unit("sequences") int sequences) {
    public Validation {
      Checks.atLeast("interval", interval, 1);
      Checks.atLeast("sequences", sequences, 1);
    }
  }

  /**
   * Checkpoints during training. Two checkpoints are always kept: that of the last step, and that
   * with the lowest validation loss among the validated checkpoints.
   *
   * @param interval the distance between two checkpoints
   * @param keep how many of the newest checkpoints are kept
   */
  public record Checkpoints(@Unit("steps") int interval, @Unit("checkpoints") int keep) {
    public Checkpoints {
      Checks.atLeast("interval", interval, 1);
      Checks.atLeast("keep", keep, 1);
    }
  }

  /**
   * The guard against divergence. A divergence is a loss or gradient that is not finite, or a loss
   * far above the median of the latest losses.
   *
   * @param window how many losses the median has; in the first {@code window} steps no loss is too
   *     large
   * @param jump a loss above this many times the median is a divergence
   * @param action the reaction to a divergence
   * @param learningRateFactor the factor of all learning rates after a roll-back
   */
  public record Guard(
      @Unit("steps") int window, double jump, Action action, double learningRateFactor) {
    public Guard {
      Checks.atLeast("window", window, 1);
      Checks.within("jump", jump, 1, Double.MAX_VALUE);
      Checks.require(
          learningRateFactor > 0 && learningRateFactor <= 1,
          "learning_rate_factor",
          "a number above 0 and at most 1",
          learningRateFactor);
    }

    Guard resumedAs(Guard other) {
      return new Guard(window, jump, other.action, other.learningRateFactor);
    }

    public enum Action {
      /** The run ends. */
      STOP,
      /** Once in a run: it returns to its last checkpoint, with a lower learning rate. */
      ROLL_BACK
    }
  }
}
