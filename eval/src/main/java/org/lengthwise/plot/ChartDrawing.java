package org.lengthwise.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

/**
 * Draws a chart with XChart, and adds what the library lacks:
 *
 * <ul>
 *   <li>asymmetric error bars are a series of strokes with gaps;
 *   <li>a dashed dense curve has gaps in its data, because the library restarts a dash pattern at
 *       each point;
 *   <li>an axis with a tick for each doubling has base 2 logarithms as values, with ticks one unit
 *       apart.
 * </ul>
 */
final class ChartDrawing {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 540;

  /** The width of the plot without legend and titles, roughly, in pixels. */
  private static final int PLOT_WIDTH = 690;

  private static final int LEAST_TICK_SPACING = 40;

  /** A logarithmic axis over a larger ratio has ticks only at powers of ten. */
  private static final double MANY_DECADES = 1000;

  /** A logarithmic axis over a smaller ratio has a label at each tick. */
  private static final double MANY_TICKS = 10;

  private static final double ROUNDING = 1e-6;

  /** Margins around the data as shares of the range. */
  private static final double MARGIN_X = 0.03;

  private static final double MARGIN_Y = 0.06;

  /** The margin above the data if marks have words there. */
  private static final double MARGIN_OF_WORDS = 0.09;

  /** The width of all error bars at one x together, as a share of the plot's width. */
  private static final double BARS_WIDTH = 0.03;

  /** Half the width of an error bar's end, as a share of the plot's width. */
  private static final double CAP = 0.004;

  /** The number of places of a dashed curve over the whole plot; every third place is a gap. */
  private static final int NUM_DASH_PLACES = 257;

  private static final int DASH = 3;

  /** Half the mean width of a letter of a mark, in pixels. */
  private static final double HALF_LETTER = 3.2;

  /** The space between a mark and its words, in pixels. */
  private static final double SPACE = 9;

  private final Chart chart;
  private final XYChart drawing;
  private final Range x;
  private final Range y;
  private int numSeries;

  private ChartDrawing(Chart chart) {
    this.chart = chart;
    List<Point> points =
        chart.series().stream().flatMap(series -> visible(series.points()).stream()).toList();
    this.x = Range.ofX(points, chart.x()).widened(MARGIN_X, MARGIN_X, chart.x().isLogarithmic());
    boolean words = chart.x().marks().stream().anyMatch(mark -> !mark.text().isEmpty());
    this.y =
        Range.ofY(points, chart.y())
            .widened(MARGIN_Y, words ? MARGIN_OF_WORDS : MARGIN_Y, chart.y().isLogarithmic());
    this.drawing =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(
                chart.x().title() + (chart.hint().isEmpty() ? "" : "  (" + chart.hint() + ")"))
            .yAxisTitle(chart.y().title())
            .build();
  }

  /** The drawing, ready to be painted. */
  static XYChart of(Chart chart) {
    ChartDrawing drawing = new ChartDrawing(chart);
    PictureStyle.apply(drawing.drawing, chart.series().size() > 1);
    drawing.axes();
    drawing.bands();
    drawing.series();
    drawing.marks();
    return drawing.drawing;
  }

  private void axes() {
    XYStyler style = drawing.getStyler();
    style.setXAxisLogarithmic(chart.x().scale() == Axis.Scale.LOG);
    style.setYAxisLogarithmic(chart.y().isLogarithmic());
    style.setYAxisLogarithmicDecadeOnly(y.high() / y.low() > MANY_DECADES);
    style.setXAxisMin(place(x.low()));
    style.setXAxisMax(place(x.high()));
    style.setYAxisMin(y.low());
    style.setYAxisMax(y.high());
    if (isDoubling()) {
      style.setXAxisTickMarkSpacingHint(
          Math.max(LEAST_TICK_SPACING, (int) (PLOT_WIDTH / (place(x.high()) - place(x.low())))));
    }
    style.setXAxisTickLabelsFormattingFunction(
        at -> chart.x().format().tick(isDoubling() ? origin() * Math.pow(2, at) : at));
    style.setYAxisTickLabelsFormattingFunction(
        at -> isLabelled(at) ? chart.y().format().tick(at) : "");
  }

  /** Whether a tick of the y axis has room for a label: on a long logarithmic axis 1, 2 and 5. */
  private boolean isLabelled(double tick) {
    double digit = tick / Math.pow(10, Math.floor(Math.log10(tick) + ROUNDING));
    return !chart.y().isLogarithmic()
        || y.high() / y.low() < MANY_TICKS
        || Stream.of(1, 2, 5).anyMatch(labelled -> Math.abs(digit - labelled) < ROUNDING);
  }

  private boolean isDoubling() {
    return chart.x().scale() == Axis.Scale.DOUBLINGS;
  }

  /** The value at the first tick of a doubling axis. */
  private double origin() {
    return chart.x().ticks().isEmpty() ? 1 : chart.x().ticks().get(0);
  }

  /** The value on XChart's axis for a value of x. */
  private double place(double value) {
    return isDoubling() ? Math.log(value / origin()) / Math.log(2) : value;
  }

  /** The place that is a share of the plot's width to the right of a value of x. */
  private double beside(double value, double share) {
    if (chart.x().scale() == Axis.Scale.LOG) {
      return value * Math.pow(x.high() / x.low(), share);
    }
    return place(value) + share * (place(x.high()) - place(x.low()));
  }

  private List<Point> visible(List<Point> points) {
    return points.stream()
        .filter(point -> Double.isFinite(point.y()))
        .filter(point -> !chart.x().isLogarithmic() || point.x() > 0)
        .filter(point -> !chart.y().isLogarithmic() || point.y() > 0)
        .toList();
  }

  private static List<Point> bounded(List<Point> points) {
    return points.stream().filter(Point::isBounded).toList();
  }

  private void bands() {
    for (Series series : chart.series()) {
      List<Point> points = bounded(visible(series.points()));
      if (series.style() != Style.BARS && points.size() > 1) {
        band(series, points);
      }
    }
  }

  /** A polygon along the lower ends and back along the upper ends. */
  private void band(Series series, List<Point> points) {
    int last = points.size() - 1;
    IntUnaryOperator thereAndBack = i -> i <= last ? i : 2 * last + 1 - i;
    XYSeries area =
        add(
            series,
            IntStream.range(0, 2 * last + 2)
                .mapToDouble(i -> place(points.get(thereAndBack.applyAsInt(i)).x()))
                .toArray(),
            IntStream.range(0, 2 * last + 2)
                .mapToDouble(i -> end(points.get(thereAndBack.applyAsInt(i)), i <= last))
                .toArray());
    PictureStyle.band(area, series);
  }

  /** An end of an interval, limited to the range of the axis. */
  private double end(Point point, boolean lower) {
    return Math.max(y.low(), Math.min(y.high(), lower ? point.low() : point.high()));
  }

  private void series() {
    List<Series> withBars =
        chart.series().stream().filter(series -> series.style() == Style.BARS).toList();
    for (Series series : chart.series()) {
      List<Point> points = visible(series.points());
      if (points.isEmpty()) {
        continue;
      }
      if (series.style() == Style.BARS) {
        int index = withBars.indexOf(series);
        double share = withBars.size() == 1 ? 0.5 : (double) index / (withBars.size() - 1);
        double shift = BARS_WIDTH * (share - 0.5);
        bars(series, points, shift);
        line(series, xs(points, shift), ys(points));
      } else if (series.style() == Style.PALE) {
        dashes(series, points);
      } else {
        line(series, xs(points, 0), ys(points));
      }
      if (!series.symbols().isEmpty()) {
        List<Point> symbols = visible(series.symbols());
        PictureStyle.markers(add(series, xs(symbols, 0), ys(symbols)), series);
      }
    }
  }

  private double[] xs(List<Point> points, double shift) {
    return points.stream().mapToDouble(point -> beside(point.x(), shift)).toArray();
  }

  private static double[] ys(List<Point> points) {
    return points.stream().mapToDouble(Point::y).toArray();
  }

  private void line(Series series, double[] xs, double[] ys) {
    PictureStyle.line(add(series, xs, ys), series);
  }

  /** A dense curve with gaps at equal distances. */
  private void dashes(Series series, List<Point> points) {
    double from = place(points.get(0).x());
    double to = place(points.get(points.size() - 1).x());
    double spacing = (place(x.high()) - place(x.low())) / (NUM_DASH_PLACES - 1);
    int places = 1 + (int) Math.ceil((to - from) / spacing);
    double[] xs = new double[places];
    double[] ys = new double[places];
    for (int i = 0; i < places; i++) {
      xs[i] = Math.min(to, from + i * spacing);
      ys[i] = i % DASH == DASH - 1 ? Double.NaN : between(points, xs[i]);
    }
    PictureStyle.pale(add(series, xs, ys));
    // The legend shows the stroke of this series. One point without a marker draws nothing else.
    line(series, new double[] {xs[0]}, new double[] {ys[0]});
  }

  /** The curve at a place, by linear interpolation. */
  private double between(List<Point> points, double at) {
    int after = 1;
    while (after < points.size() - 1 && place(points.get(after).x()) < at) {
      after++;
    }
    if (points.size() == 1) {
      return points.get(0).y();
    }
    Point left = points.get(after - 1);
    Point right = points.get(after);
    double along = (at - place(left.x())) / (place(right.x()) - place(left.x()));
    return left.y() + along * (right.y() - left.y());
  }

  private void bars(Series series, List<Point> points, double shift) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (Point point : bounded(points)) {
      double at = beside(point.x(), shift);
      stroke(xs, ys, at, at, end(point, true), end(point, false));
      // A bar that leaves the axis has no end mark at that end.
      for (double end : new double[] {point.low(), point.high()}) {
        if (y.contains(end)) {
          stroke(xs, ys, beside(point.x(), shift - CAP), beside(point.x(), shift + CAP), end, end);
        }
      }
    }
    if (!xs.isEmpty()) {
      PictureStyle.pale(add(series, array(xs), array(ys)));
    }
  }

  private static void stroke(
      List<Double> xs, List<Double> ys, double fromX, double toX, double fromY, double toY) {
    xs.addAll(List.of(fromX, toX, toX));
    ys.addAll(List.of(fromY, toY, Double.NaN));
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Adds a series in the colour of ours, without markers and not in the legend. */
  private XYSeries add(Series series, double[] xs, double[] ys) {
    XYSeries added = drawing.addSeries("series " + numSeries++, xs, ys);
    PictureStyle.colour(added, series);
    return added;
  }

  private void marks() {
    for (Axis.Mark mark : chart.x().marks()) {
      if (x.contains(mark.at())) {
        drawing.addAnnotation(new AnnotationLine(place(mark.at()), true, false));
        boolean leftwards = place(mark.at()) > (place(x.low()) + place(x.high())) / 2;
        words(mark, beside(mark.at(), (leftwards ? -1 : 1) * halfWidth(mark)), 0.97);
      }
    }
    for (Axis.Mark mark : chart.y().marks()) {
      if (y.contains(mark.at())) {
        drawing.addAnnotation(new AnnotationLine(mark.at(), false, false));
        words(mark, beside(x.low(), halfWidth(mark)), share(mark.at()) + 0.025);
      }
    }
  }

  private static double halfWidth(Axis.Mark mark) {
    return (SPACE + HALF_LETTER * mark.text().length()) / PLOT_WIDTH;
  }

  /** Adds the words of a mark at a place of the x axis and a share of the height. */
  private void words(Axis.Mark mark, double at, double height) {
    if (!mark.text().isEmpty()) {
      double value =
          chart.y().isLogarithmic()
              ? y.low() * Math.pow(y.high() / y.low(), height)
              : y.low() + height * (y.high() - y.low());
      drawing.addAnnotation(new AnnotationText(mark.text(), at, value, false));
    }
  }

  /** The height of a value of y, as a share of the axis. */
  private double share(double value) {
    return chart.y().isLogarithmic()
        ? Math.log(value / y.low()) / Math.log(y.high() / y.low())
        : (value - y.low()) / (y.high() - y.low());
  }
}
