package org.lengthwise.training.loop;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** One line of a run's metrics file. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Metrics.Training.class, name = "training"),
  @JsonSubTypes.Type(value = Metrics.Validation.class, name = "validation"),
  @JsonSubTypes.Type(value = Metrics.RollBack.class, name = "roll-back")
})
public sealed interface Metrics {

  /**
   * The step after which the line was written.
   *
   * @return finished steps
   */
  long step();

  /** A line that says how well the model does. */
  sealed interface Measured extends Metrics {

    /**
     * The tokens trained on until then.
     *
     * @return how many
     */
    long tokens();

    /**
     * What was measured.
     *
     * @return the mean negative log-likelihood in nats
     */
    double loss();
  }

  /**
   * What training looks like.
   *
   * @param step finished steps
   * @param tokens tokens trained on
   * @param loss the step's mean negative log-likelihood in nats
   * @param learningRate the step's learning rate
   * @param gradientNorm the global gradient norm before clipping
   * @param tokensPerSecond tokens a second since the line before, validation and checkpoints aside
   * @param mfu model FLOPs utilisation; null where the device's peak is not known
   * @param stepSeconds what a step took since the line before, in the mean
   * @param dataWaitSeconds how much of it was spent waiting for a batch
   * @param exchangeSeconds how much of it was spent exchanging gradients between replicas
   * @param checkpointWaitSeconds how long checkpoints kept a step waiting besides, in the mean
   *     since the line before; null in a line of a release that did not measure it
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
      @Nullable Double checkpointWaitSeconds)
      implements Measured {}

  /**
   * What validation says.
   *
   * @param step finished steps
   * @param tokens tokens trained on
   * @param loss mean negative log-likelihood in nats
   * @param count the tokens it is a mean over
   */
  record Validation(long step, long tokens, double loss, long count) implements Measured {}

  /**
   * That a run diverged and went back.
   *
   * @param step the finished steps it went back to
   * @param divergedAt the step that diverged, counted from 1
   * @param what how it showed
   * @param learningRateFactor what learning rates are multiplied by from here on
   */
  record RollBack(long step, long divergedAt, String what, double learningRateFactor)
      implements Metrics {}
}
