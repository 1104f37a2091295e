package org.lengthwise.eval.report;

import java.awt.BasicStroke;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.CumulativeGradient.Point;
import org.lengthwise.eval.result.ModelState;

/**
 * What is drawn of one receptive field: bands below everything else, the trained curve solid with
 * marks at its effective fields, the untrained one dashed and pale, the theoretical field vertical.
 *
 * @param chart where
 * @param axis its x axis
 */
record CurveDrawing(XYChart chart, TokenAxis axis) {
  private static final int BAND_ALPHA = 46;
  private static final float THEORETICAL_WIDTH = 1.2f;

  /**
   * Every so many places of a dashed curve one is left out. The library strokes each segment by
   * itself, so that a dash pattern of the stroke would start anew at every place.
   */
  private static final int DASH = 3;

  /** The 95 % bands of both curves. */
  void band(ReceptiveFieldMean mean, String name, String colour, PlotStyle style) {
    for (ModelState state : ModelState.values()) {
      style.drawBand(
          chart,
          "%s, %s, band".formatted(name, state.label()),
          colour,
          new PlotStyle.Band(
              xs(mean), ys(mean, state, Point::low), ys(mean, state, Point::high), BAND_ALPHA));
    }
  }

  /** Both curves, the marks and the theoretical field. */
  void curves(ReceptiveFieldMean mean, String name, String colour, PlotStyle style) {
    double[] xs = xs(mean);
    XYSeries dashed =
        chart.addSeries(
            name + ", untrained", xs, dashed(ys(mean, ModelState.UNTRAINED, Point::share)));
    style.drawPale(dashed, colour);
    dashed.setShowInLegend(false);
    if (mean.theoretical() < mean.length()) {
      double x = axis.x(mean.theoretical());
      XYSeries vertical =
          chart.addSeries(name + ", theoretical", new double[] {x, x}, new double[] {0, 1});
      style.drawCurve(vertical, colour, true);
      vertical.setLineStyle(new BasicStroke(THEORETICAL_WIDTH));
      vertical.setShowInLegend(false);
    }
    XYSeries solid = chart.addSeries(name, xs, ys(mean, ModelState.TRAINED, Point::share));
    style.drawCurve(solid, colour, false);
    XYSeries marks =
        chart.addSeries(
            name + ", effective",
            CumulativeGradient.SHARES.stream()
                .mapToDouble(share -> axis.x(mean.effective(ModelState.TRAINED, share)[0]))
                .toArray(),
            CumulativeGradient.SHARES.stream().mapToDouble(share -> share).toArray());
    style.draw(marks, colour);
    marks.setLineStyle(SeriesLines.NONE);
    marks.setShowInLegend(false);
    solid.setMarker(SeriesMarkers.NONE);
  }

  private double[] xs(ReceptiveFieldMean mean) {
    return DoubleStream.of(axis.places(mean.length())).map(axis::x).toArray();
  }

  private double[] ys(ReceptiveFieldMean mean, ModelState state, ToDoubleFunction<Point> part) {
    double[] tokens = mean.tokens();
    double[] curve = mean.curve(state, part);
    return DoubleStream.of(axis.places(mean.length()))
        .map(place -> between(tokens, curve, place))
        .toArray();
  }

  /** The curve at a place, on the straight line between the points around it; 0 at no tokens. */
  private static double between(double[] tokens, double[] curve, double place) {
    int after = 0;
    while (after < tokens.length - 1 && tokens[after] < place) {
      after++;
    }
    double beforeTokens = after == 0 ? 0 : tokens[after - 1];
    double beforeShare = after == 0 ? 0 : curve[after - 1];
    double along = Math.min(1, (place - beforeTokens) / (tokens[after] - beforeTokens));
    return beforeShare + along * (curve[after] - beforeShare);
  }

  private static double[] dashed(double[] curve) {
    return IntStream.range(0, curve.length)
        .mapToDouble(i -> i % DASH == DASH - 1 ? Double.NaN : curve[i])
        .toArray();
  }
}
