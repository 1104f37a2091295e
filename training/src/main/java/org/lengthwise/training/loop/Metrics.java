package org.lengthwise.training.loop;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;

/** One line of a run's metrics file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Metrics.Training.class, name = "training"),
  @JsonSubTypes.Type(value = Metrics.Validation.class, name = "validation"),
  @JsonSubTypes.Type(value = Metrics.RollBack.class, name = "roll-back")
})
public sealed interface Metrics {

  /** {@return the number of finished steps} */
  long step();

  sealed interface Measured extends Metrics {

    long tokens();

    /**
     * {@return the number that a curve shows: the mean loss of a step in nats, or the mean of the
     * validation's metric}
     */
    double loss();
  }

  /**
   * The state of training.
   *
   * @param loss the step's mean negative log-likelihood in nats
   * @param gradientNorm the global gradient norm before clipping
   * @param tokensPerSecond tokens per second since the previous line, without validation and
   *     checkpoints
   * @param mfu model FLOPs utilisation, as if attention were dense; null if the device's peak is
   *     not known
   * @param stepSeconds the mean time of a step since the previous line
   * @param dataWaitSeconds the part of it that waited for a batch
   * @param exchangeSeconds the part of it that exchanged gradients between replicas
   * @param checkpointWaitSeconds the mean time per step that checkpoints added, not part of
   *     stepSeconds
   * @param biasRange the smallest range of biases over all heads and tables of biases, {@link
   *     org.lengthwise.model.ParameterSpec#biasRanges}; null for a scheme without such a table
   */
  record Training(
      long step,
      long tokens,
      double loss,
      double learningRate,
      double gradientNorm,
      double tokensPerSecond,
      @Nullable Double mfu,
      double stepSeconds,
      double dataWaitSeconds,
      double exchangeSeconds,
      double checkpointWaitSeconds,
      @Nullable Double biasRange)
      implements Measured {}

  /**
   * The result of a validation.
   *
   * @param loss its mean over the targets
   * @param stringErrorRate the share of strings with a wrong target; absent unless the task counts
   *     strings
   * @param forwardSeconds the time of all passes; absent if unknown
   */
  record Validation(
      long step,
      long tokens,
      String metric,
      double loss,
      long count,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
          @Nullable Double stringErrorRate,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
          @Nullable Double forwardSeconds)
      implements Measured {
    /** A result without strings and without a time. */
    public Validation(long step, long tokens, String metric, double loss, long count) {
      this(step, tokens, metric, loss, count, null, null);
    }
  }

  /**
   * A run diverged and returned to a checkpoint.
   *
   * @param step the finished steps of that checkpoint
   * @param divergedAt the step that diverged, from 1
   * @param learningRateFactor the factor of all following learning rates
   */
  record RollBack(long step, long divergedAt, String what, double learningRateFactor)
      implements Metrics {}
}
