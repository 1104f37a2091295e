package org.lengthwise.training.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What a run is watched by: its latest losses, and whether it was rolled back.
 *
 * @param recentLosses the losses of the latest steps in nats, oldest first
 * @param numRollBacks how often the run went back to a checkpoint
 * @param learningRateFactor what every learning rate is multiplied by since then; 1 before
 */
public record GuardState(List<Double> recentLosses, int numRollBacks, double learningRateFactor) {

  /** Checks the values. */
  public GuardState {
    recentLosses = List.copyOf(recentLosses);
  }

  /**
   * The state before the first step.
   *
   * @return no losses, no roll-back
   */
  public static GuardState initial() {
    return new GuardState(List.of(), 0, 1);
  }

  /**
   * The state after one more step.
   *
   * @param loss the step's loss
   * @param window how many losses are kept
   * @return the next state
   */
  public GuardState next(double loss, int window) {
    List<Double> losses = new ArrayList<>(recentLosses);
    losses.add(loss);
    int surplus = Math.max(0, losses.size() - window);
    return new GuardState(losses.subList(surplus, losses.size()), numRollBacks, learningRateFactor);
  }

  /**
   * The median of the latest losses.
   *
   * @param window how many losses it is taken of
   * @return the upper median, or empty while there are fewer
   */
  public OptionalDouble median(int window) {
    return recentLosses.size() < window
        ? OptionalDouble.empty()
        : OptionalDouble.of(recentLosses.stream().sorted().toList().get(window / 2));
  }

  GuardState rolledBack(double factor) {
    return new GuardState(recentLosses, numRollBacks + 1, learningRateFactor * factor);
  }
}
