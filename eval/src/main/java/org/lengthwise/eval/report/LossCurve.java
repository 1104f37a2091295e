package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

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

  /** The losses of a run, the tokens in some unit. */
  static LossCurve of(LossPoints points, double unit) {
    return new LossCurve(
        points.tokens().stream().map(tokens -> tokens / unit).toList(), points.losses());
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

  /**
   * The curve at fewer places, all of them if there are few: of neighbours the least and the
   * greatest loss, so that no peak is lost, and both ends.
   *
   * @param most how many points are left at most, at least 4
   */
  LossCurve thinned(int most) {
    if (xs.size() <= most) {
      return this;
    }
    int groups = most / 2 - 1;
    SortedSet<Integer> kept = new TreeSet<>(List.of(0, xs.size() - 1));
    for (int group = 0; group < groups; group++) {
      int from = (int) ((long) group * xs.size() / groups);
      int to = (int) ((long) (group + 1) * xs.size() / groups);
      List<Double> members = losses.subList(from, to);
      kept.add(from + members.indexOf(Collections.min(members)));
      kept.add(from + members.indexOf(Collections.max(members)));
    }
    return new LossCurve(
        kept.stream().map(xs::get).toList(), kept.stream().map(losses::get).toList());
  }
}
