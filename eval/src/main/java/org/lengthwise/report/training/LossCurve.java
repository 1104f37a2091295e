package org.lengthwise.report.training;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.training.loop.Metrics;

/**
 * A curve of losses.
 *
 * @param xs the value of each loss on the x axis
 * @param losses the losses in nats, one for each place
 */
public record LossCurve(List<Double> xs, List<Double> losses) {

  public LossCurve {
    xs = List.copyOf(xs);
    losses = List.copyOf(losses);
    if (xs.size() != losses.size()) {
      throw new IllegalArgumentException(xs.size() + " places, " + losses.size() + " losses");
    }
  }

  static <T extends Metrics.Measured> LossCurve of(List<T> lines, ToDoubleFunction<T> place) {
    return new LossCurve(
        lines.stream().map(line -> place.applyAsDouble(line)).toList(),
        lines.stream().map(Metrics.Measured::loss).toList());
  }

  List<Point> points() {
    return IntStream.range(0, xs.size())
        .mapToObj(i -> new Point(xs.get(i), losses.get(i)))
        .toList();
  }

  boolean isEmpty() {
    return xs.isEmpty();
  }

  /**
   * The running mean with exponential weights: each loss has the weight of the next one times a
   * factor. The sum of the weights is one from the first value on, so the mean has no bias to zero.
   *
   * @param factor at least 0, which means no smoothing, and less than 1
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
   * The curve with neighbours averaged. It ends at its last place.
   *
   * @param most the largest number of points; a shorter curve stays unchanged
   */
  LossCurve averaged(int most) {
    int groups = Math.min(most, xs.size());
    List<Double> places = new ArrayList<>();
    List<Double> means = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      int from = (int) ((long) group * xs.size() / groups);
      int to = (int) ((long) (group + 1) * xs.size() / groups);
      places.add(to == xs.size() ? xs.get(to - 1) : mean(xs.subList(from, to)));
      means.add(mean(losses.subList(from, to)));
    }
    return new LossCurve(places, means);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /**
   * The curve with fewer points. It keeps both ends, and the lowest and the highest loss of each
   * group of neighbours, so no peak is lost.
   *
   * @param most the largest number of points, at least 4; a shorter curve stays unchanged
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
