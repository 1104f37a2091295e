package org.lengthwise.eval.report;

import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;

/** The x axis of a receptive field: a number of most recent tokens, and where it stands. */
final class TokenAxis {
  /** How many places a curve is drawn at: enough to look smooth. */
  private static final int NUM_PLACES = 257;

  private static final double LOWEST = -0.02;
  private static final double HIGHEST = 1.09;

  private final int length;
  private final boolean doubling;

  private TokenAxis(int length, boolean doubling) {
    this.length = length;
    this.doubling = doubling;
  }

  /** Positions in reading order, the last token at the right. */
  static TokenAxis fromTheEnd(int length) {
    return new TokenAxis(length, false);
  }

  /** Numbers of tokens, a tick for each doubling, from one token at the left. */
  static TokenAxis doubling(int longest) {
    return new TokenAxis(longest, true);
  }

  int length() {
    return length;
  }

  /** Where a number of most recent tokens stands. */
  double x(double tokens) {
    return doubling ? Math.log(tokens) / Math.log(2) : -tokens;
  }

  /** The axis's extent. */
  double units() {
    return doubling ? x(length) : length;
  }

  /** Places evenly spread over the axis, as numbers of tokens up to a limit, ascending. */
  double[] places(int limit) {
    double end = doubling ? x(limit) : limit;
    int intervals = Math.max(1, (int) Math.ceil((NUM_PLACES - 1) * end / Math.max(1, units())));
    return IntStream.rangeClosed(0, intervals)
        .mapToDouble(i -> end * i / intervals)
        .map(place -> doubling ? Math.pow(2, place) : place)
        .toArray();
  }

  void scale(XYChart chart) {
    chart.getStyler().setYAxisMin(LOWEST);
    chart.getStyler().setYAxisMax(HIGHEST);
    if (doubling) {
      PlotStyle.unitTicksOnX(chart, -0.1, units() + 0.1);
    } else {
      chart.getStyler().setXAxisMin((double) -length);
      chart.getStyler().setXAxisMax(0.01 * length);
    }
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(
            x -> Numbers.count(Math.round(doubling ? Math.pow(2, x) : Math.abs(x))));
  }
}
