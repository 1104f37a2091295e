package org.lengthwise.report.receptivefield;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.ModelState;

/**
 * Cumulative gradients: all runs at one length, and one run at all its lengths.
 *
 * <p>The first is drawn as in the paper, against position with the last token at the right: a
 * straight slanted line means that every position matters. The second is drawn against the number
 * of tokens on an axis of doublings: windows of one size coincide at all lengths.
 */
final class ReceptiveFieldCharts {
  private ReceptiveFieldCharts() {}

  /** All runs at each length, the shortest length first. Tasks on strings have their own charts. */
  static List<Chart> ofLengths(List<ReceptiveFieldMean> means, Looks looks) {
    return List.copyOf(
        means.stream()
            .collect(
                Collectors.groupingBy(
                    ReceptiveFieldMean::group,
                    TreeMap::new,
                    Collectors.collectingAndThen(
                        Collectors.toList(), atLength -> ofLength(atLength, looks))))
            .values());
  }

  private static Chart ofLength(List<ReceptiveFieldMean> means, Looks looks) {
    int length = means.get(0).length();
    return new Chart(
        "receptive-field-" + means.get(0).group().file(),
        "Cumulative gradient over " + means.get(0).group().words(),
        hint(means),
        new Axis(
            "tokens before the end",
            Scale.LINEAR,
            Format.COUNT,
            List.of((double) -length, 0.0),
            List.of(),
            Looks.trainedAt(trainedShorter(means, length)).stream()
                .map(mark -> new Axis.Mark(-mark.at(), mark.text()))
                .toList()),
        Axis.ofShares("share of the gradient from here to the end"),
        means.stream()
            .flatMap(mean -> series(mean, looks.of(mean.run()), tokens -> -tokens))
            .toList());
  }

  /** One run at several lengths, the shortest length first. */
  static Chart ofRun(List<ReceptiveFieldMean> means) {
    String run = means.get(0).run();
    int longest = means.get(means.size() - 1).length();
    return new Chart(
        "receptive-field-of-" + run,
        "Cumulative gradient of %s at %s lengths".formatted(RunName.heading(run), means.size()),
        hint(means),
        new Axis(
            "most recent tokens",
            Scale.DOUBLINGS,
            Format.COUNT,
            List.of(1.0, (double) longest),
            Looks.doublings(longest),
            Looks.trainedAt(trainedShorter(means, longest))),
        Axis.ofShares("share of the gradient that they hold"),
        IntStream.range(0, means.size())
            .boxed()
            .flatMap(
                look -> {
                  String name = Numbers.count(means.get(look).length()) + " tokens";
                  return series(
                      means.get(look), new Label(name, run, look), DoubleUnaryOperator.identity());
                })
            .toList());
  }

  private static String hint(List<ReceptiveFieldMean> means) {
    return "dashed: before training; marks: 50, 90 and 99 %"
        + (means.stream().anyMatch(ReceptiveFieldCharts::isLimited)
            ? "; vertical: theoretical field"
            : "");
  }

  private static boolean isLimited(ReceptiveFieldMean mean) {
    return mean.theoretical() < mean.length();
  }

  private static List<Integer> trainedShorter(List<ReceptiveFieldMean> means, int length) {
    return means.stream()
        .map(ReceptiveFieldMean::trainLength)
        .filter(trained -> trained < length)
        .toList();
  }

  /** The curves of one run at one length over an axis on which a number of tokens has a place. */
  private static Stream<Series> series(
      ReceptiveFieldMean mean, Label label, DoubleUnaryOperator place) {
    List<Series> series = new ArrayList<>();
    series.add(
        new Series(
            label,
            Style.PALE,
            false,
            points(mean, ModelState.UNTRAINED, place),
            List.of(),
            "before training, the last {x} tokens hold {y}"));
    if (isLimited(mean)) {
      double limit = place.applyAsDouble(mean.theoretical());
      series.add(
          new Series(
              label,
              Style.LIMIT,
              false,
              List.of(new Point(limit, 0), new Point(limit, 1)),
              List.of(),
              ""));
    }
    series.add(
        new Series(
            label,
            Style.SOLID,
            true,
            points(mean, ModelState.TRAINED, place),
            CumulativeGradient.SHARES.stream().map(share -> symbol(mean, share, place)).toList(),
            "trained, the last {x} tokens hold {y}"));
    return series.stream();
  }

  private static List<Point> points(
      ReceptiveFieldMean mean, ModelState state, DoubleUnaryOperator place) {
    double[] tokens = mean.tokens();
    double[] shares = mean.curve(state, CumulativeGradient.Point::share);
    double[] low = mean.curve(state, CumulativeGradient.Point::low);
    double[] high = mean.curve(state, CumulativeGradient.Point::high);
    return IntStream.range(0, tokens.length)
        .mapToObj(i -> new Point(place.applyAsDouble(tokens[i]), shares[i], low[i], high[i]))
        .sorted(Comparator.comparingDouble(Point::x))
        .toList();
  }

  /** Where the trained curve reaches a share, on the straight line between its points. */
  private static Point symbol(ReceptiveFieldMean mean, double share, DoubleUnaryOperator place) {
    double[] tokens = mean.tokens();
    double[] shares = mean.curve(ModelState.TRAINED, CumulativeGradient.Point::share);
    int after = 0;
    while (after < shares.length - 1 && shares[after] < share) {
      after++;
    }
    double at = tokens[after];
    if (after > 0) {
      double along = (shares[after] - share) / (shares[after] - shares[after - 1]);
      at -= (tokens[after] - tokens[after - 1]) * along;
    }
    return new Point(place.applyAsDouble(at), share);
  }
}
