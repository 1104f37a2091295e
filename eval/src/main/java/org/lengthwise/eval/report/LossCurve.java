package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A curve of losses.
 *
 * @param xs where each was measured
 * @param losses in nats, as many
 */
record LossCurve(List<Double> xs, List<Double> losses) {

  /** Checks the values. */
  LossCurve {
    xs = List.copyOf(xs);
    losses = List.copyOf(losses);
    if (xs.size() != losses.size()) {
      throw new IllegalArgumentException(xs.size() + " places, " + losses.size() + " losses");
    }
  }

  boolean isEmpty() {
    return xs.isEmpty();
  }

  /**
   * The running mean in which each loss weighs less by a factor than the next one. The first values
   * are not drawn towards zero: the mean is one over what was seen.
   *
   * @param factor at least 0, which changes nothing, and less than 1
   */
  LossCurve smoothed(double factor) {
    List<Double> means = new ArrayList<>();
    double sum = 0;
    double weight = 0;
    for (double loss : losses) {
      sum = factor * sum + (1 - factor) * loss;
      weight = factor * weight + (1 - factor);
      means.add(sum / weight);
    }
    return new LossCurve(xs, means);
  }

  /** Points spread evenly from the first to the last, all of them if there are few. */
  LossCurve thinned(int most) {
    if (xs.size() <= most) {
      return this;
    }
    List<Double> keptXs = new ArrayList<>();
    List<Double> keptLosses = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      int index = (int) ((long) i * (xs.size() - 1) / (most - 1));
      keptXs.add(xs.get(index));
      keptLosses.add(losses.get(index));
    }
    return new LossCurve(keptXs, keptLosses);
  }
}
