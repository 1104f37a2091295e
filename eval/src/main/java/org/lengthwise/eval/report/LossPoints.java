package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.List;
import org.lengthwise.training.loop.Metrics;

/**
 * A loss against the tokens trained on.
 *
 * @param tokens tokens trained on, rising
 * @param losses the losses in nats, as many
 */
record LossPoints(List<Double> tokens, List<Double> losses) {
  /** Enough to look smooth; more are averaged in groups. */
  private static final int MOST_POINTS = 240;

  /** Copies the lists. */
  LossPoints {
    tokens = List.copyOf(tokens);
    losses = List.copyOf(losses);
  }

  /** The losses of some lines, neighbours averaged where there are many. */
  static LossPoints of(List<? extends Metrics.Measured> lines) {
    int groups = Math.min(MOST_POINTS, lines.size());
    List<Double> tokens = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      int from = (int) ((long) group * lines.size() / groups);
      int to = (int) ((long) (group + 1) * lines.size() / groups);
      List<? extends Metrics.Measured> members = lines.subList(from, to);
      tokens.add(members.stream().mapToLong(Metrics.Measured::tokens).average().orElseThrow());
      losses.add(members.stream().mapToDouble(Metrics.Measured::loss).average().orElseThrow());
    }
    return new LossPoints(tokens, losses);
  }
}
