package org.lengthwise.training.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.lengthwise.training.config.LoopConfig;

/**
 * The state of the guard against divergence.
 *
 * @param recentLosses the losses of the latest steps in nats, oldest first
 * @param learningRateFactor the factor of every learning rate since the roll-back; 1 before a
 *     roll-back
 */
public record GuardState(List<Double> recentLosses, int numRollBacks, double learningRateFactor) {
  /** Losses below this one, in nats, are rounding of float32: the median counts as this one. */
  private static final double SMALLEST_LOSS = 1e-7;

  public GuardState {
    recentLosses = List.copyOf(recentLosses);
  }

  public static GuardState initial() {
    return new GuardState(List.of(), 0, 1);
  }

  /** {@return the state after one more step} */
  public GuardState next(double loss, int window) {
    List<Double> losses = new ArrayList<>(recentLosses);
    losses.add(loss);
    int surplus = Math.max(0, losses.size() - window);
    return new GuardState(losses.subList(surplus, losses.size()), numRollBacks, learningRateFactor);
  }

  /**
   * {@return why the loss of the next step is a divergence, or empty} It is one if it is not
   * finite, or as soon as there are enough losses, if it is far above their upper median.
   */
  public Optional<String> objection(LoopConfig.Guard guard, double loss) {
    if (!Double.isFinite(loss)) {
      return Optional.of("the loss is " + loss);
    }
    if (recentLosses.size() < guard.window()) {
      return Optional.empty();
    }
    double median = recentLosses.stream().sorted().toList().get(guard.window() / 2);
    return loss <= guard.jump() * Math.max(median, SMALLEST_LOSS)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the loss is %.4g, more than %s times the median %.4g of the last %d steps",
                loss,
                guard.jump(),
                median,
                guard.window()));
  }

  GuardState rolledBack(double factor) {
    return new GuardState(recentLosses, numRollBacks + 1, learningRateFactor * factor);
  }
}
