package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

/** Draws a chart: bands, lines with their bars and markers, axes, marks and a legend. */
final class ChartPainter {
  static final int WIDTH = 960;
  static final int HEIGHT = 540;

  private static final int PADDING = 16;
  private static final int TOP = 56;

  /** The space below the plot, for the ticks and the title of the x axis. */
  private static final int BELOW = 68;

  /** The length of the stroke of a legend's entry, and the distance between entries if all fit. */
  private static final int LEGEND_STROKE = 28;

  private static final int LEGEND_LINE = 26;
  private static final int GAP = 10;

  /** Margins around the data as shares of the range. */
  private static final double MARGIN_X = 0.03;

  private static final double MARGIN_Y = 0.06;

  /** The margin above the data if marks have words there. */
  private static final double MARGIN_OF_WORDS = 0.09;

  /** The width of all error bars at one x together, and of half an end of a bar, in pixels. */
  private static final double BARS_WIDTH = 20;

  private static final double CAP = 3;
  private static final double MARKER = 8;

  private static final float STRONG = 2.2f;
  private static final float THIN = 1.5f;
  private static final float[] PALE_DASH = {3, 5};
  private static final int PALE_ALPHA = 140;
  private static final int BAND_ALPHA = 46;
  private static final int FAINT_BAND_ALPHA = 16;

  private final Chart chart;
  private final Canvas canvas;
  private final Range x;
  private final Range y;
  private final Ticks ticksX;
  private final Ticks ticksY;
  private final double left;
  private final double right;
  private final double bottom = HEIGHT - BELOW;

  private ChartPainter(Chart chart, Canvas canvas) {
    this.chart = chart;
    this.canvas = canvas;
    List<Point> points =
        chart.series().stream().flatMap(series -> visible(series.points()).stream()).toList();
    this.x = Range.ofX(points, chart.x()).widened(MARGIN_X, MARGIN_X, chart.x().isLogarithmic());
    boolean words = chart.x().marks().stream().anyMatch(mark -> !mark.text().isEmpty());
    this.y =
        Range.ofY(points, chart.y())
            .widened(MARGIN_Y, words ? MARGIN_OF_WORDS : MARGIN_Y, chart.y().isLogarithmic());
    double legend =
        widest(named().stream().map(series -> series.label().name()), Canvas.TYPE)
            + (named().isEmpty() ? 0 : LEGEND_STROKE + 3 * GAP);
    this.right = WIDTH - PADDING - legend;
    this.ticksY = Ticks.ofY(chart.y(), y, bottom - TOP);
    this.left = PADDING + 40 + widest(ticksY.values().stream().map(ticksY::label), small());
    this.ticksX = Ticks.ofX(chart.x(), x, right - left);
  }

  static void paint(Chart chart, Canvas canvas) {
    ChartPainter painter = new ChartPainter(chart, canvas);
    canvas.fill(new Rectangle2D.Double(0, 0, WIDTH, HEIGHT), Color.WHITE);
    painter.axes();
    chart.series().forEach(painter::band);
    chart.series().forEach(painter::series);
    painter.marks();
    painter.legend();
  }

  private static Font small() {
    return Canvas.TYPE.deriveFont(13f);
  }

  private static double widest(Stream<String> words, Font font) {
    return words.mapToDouble(each -> Canvas.width(each, font)).max().orElse(0);
  }

  /** A chart of one series has no legend. */
  private List<Series> named() {
    return chart.series().size() == 1
        ? List.of()
        : chart.series().stream()
            .filter(series -> series.named() && !visible(series.points()).isEmpty())
            .toList();
  }

  private List<Point> visible(List<Point> points) {
    return points.stream()
        .filter(point -> Double.isFinite(point.y()))
        .filter(point -> !chart.x().isLogarithmic() || point.x() > 0)
        .filter(point -> !chart.y().isLogarithmic() || point.y() > 0)
        .toList();
  }

  private double atX(double value) {
    return left + x.share(value, chart.x().isLogarithmic()) * (right - left);
  }

  private double atY(double value) {
    return bottom - y.share(value, chart.y().isLogarithmic()) * (bottom - TOP);
  }

  private void axes() {
    Font bold = Canvas.TYPE.deriveFont(Font.BOLD, 17f);
    canvas.text(chart.title(), bold, Palette.INK, (left + right) / 2, 36, 0.5);
    for (double tick : ticksY.values()) {
      line(left, atY(tick), right, atY(tick), Palette.GRID, new BasicStroke(1));
      canvas.text(ticksY.label(tick), small(), Palette.INK, left - GAP, atY(tick) + 5, 1);
    }
    for (double tick : ticksX.values()) {
      line(atX(tick), bottom, atX(tick), bottom + 4, Palette.MARK, new BasicStroke(1));
      canvas.text(ticksX.label(tick), small(), Palette.INK, atX(tick), bottom + 20, 0.5);
    }
    String hint = chart.hint().isEmpty() ? "" : "  (" + chart.hint() + ")";
    String title = chart.x().title() + hint;
    canvas.text(title, Canvas.TYPE, Palette.INK, (left + right) / 2, bottom + 46, 0.5);
    canvas.upwards(chart.y().title(), Canvas.TYPE, Palette.INK, PADDING + 12, (TOP + bottom) / 2);
  }

  private void line(
      double fromX, double fromY, double toX, double toY, Color colour, BasicStroke stroke) {
    canvas.draw(new Line2D.Double(fromX, fromY, toX, toY), colour, stroke);
  }

  /** The area between the ends of intervals, limited to the range of the axis. */
  private void band(Series series) {
    List<Point> points = visible(series.points()).stream().filter(Point::isBounded).toList();
    if (series.style() == Style.BARS || points.size() < 2) {
      return;
    }
    Path2D area = new Path2D.Double();
    for (Point point : points) {
      add(area, atX(point.x()), atY(y.nearest(point.low())));
    }
    for (int i = points.size() - 1; i >= 0; i--) {
      area.lineTo(atX(points.get(i).x()), atY(y.nearest(points.get(i).high())));
    }
    area.closePath();
    int alpha = series.style() == Style.MARKED ? FAINT_BAND_ALPHA : BAND_ALPHA;
    canvas.fill(area, translucent(colour(series), alpha));
  }

  private static void add(Path2D path, double atX, double atY) {
    if (path.getCurrentPoint() == null) {
      path.moveTo(atX, atY);
    } else {
      path.lineTo(atX, atY);
    }
  }

  private void series(Series series) {
    List<Point> points = visible(series.points());
    double shift = series.style() == Style.BARS ? shift(series) : 0;
    Path2D line = new Path2D.Double();
    for (Point point : points) {
      add(line, atX(point.x()) + shift, atY(point.y()));
    }
    if (points.size() > 1) {
      stroke(series, line);
    }
    if (series.style() == Style.BARS) {
      points.stream().filter(Point::isBounded).forEach(point -> bar(series, point, shift));
    }
    boolean hasMarkers = List.of(Style.BARS, Style.MARKED, Style.MARKERS).contains(series.style());
    Stream.concat(hasMarkers ? points.stream() : Stream.of(), visible(series.symbols()).stream())
        .forEach(point -> marker(series, atX(point.x()) + shift, atY(point.y())));
  }

  private double shift(Series series) {
    List<Series> withBars =
        chart.series().stream().filter(one -> one.style() == Style.BARS).toList();
    double share =
        withBars.size() == 1 ? 0.5 : (double) withBars.indexOf(series) / (withBars.size() - 1);
    return BARS_WIDTH * (share - 0.5);
  }

  /** An interval. A bar that leaves the axis has no end mark at that end. */
  private void bar(Series series, Point point, double shift) {
    Color pale = translucent(colour(series), PALE_ALPHA);
    double at = atX(point.x()) + shift;
    double low = atY(y.nearest(point.low()));
    double high = atY(y.nearest(point.high()));
    line(at, low, at, high, pale, solid(THIN));
    for (double end : new double[] {point.low(), point.high()}) {
      if (y.contains(end)) {
        line(at - CAP, atY(end), at + CAP, atY(end), pale, solid(THIN));
      }
    }
  }

  private void stroke(Series series, Shape line) {
    List<Integer> dash = Palette.look(series.label().look()).dash();
    Color colour = colour(series);
    switch (series.style()) {
      case BARS, MARKED -> canvas.draw(line, colour, dashed(STRONG, dash));
      case SOLID -> canvas.draw(line, colour, solid(STRONG));
      case THIN -> canvas.draw(line, translucent(colour, PALE_ALPHA), solid(THIN));
      case PALE -> canvas.draw(line, translucent(colour, PALE_ALPHA), stroke(THIN, PALE_DASH));
      case LIMIT -> canvas.draw(line, colour, solid(THIN));
      case MARKERS -> {}
    }
  }

  private void marker(Series series, double atX, double atY) {
    double half = MARKER / 2;
    Shape square = new Rectangle2D.Double(-half, -half, MARKER, MARKER);
    Shape shape =
        switch (Palette.look(series.label().look()).marker()) {
          case CIRCLE -> new Ellipse2D.Double(-half, -half, MARKER, MARKER);
          case SQUARE -> square;
          case TRIANGLE -> triangle(half);
          case TRIANGLE_DOWN -> triangle(-half);
          case DIAMOND ->
              AffineTransform.getRotateInstance(Math.PI / 4).createTransformedShape(square);
        };
    AffineTransform move = AffineTransform.getTranslateInstance(atX, atY);
    canvas.fill(move.createTransformedShape(shape), colour(series));
  }

  /** A triangle around the origin, with its corner up, or down if its size is negative. */
  private static Path2D triangle(double half) {
    Path2D path = new Path2D.Double();
    path.moveTo(-half, half);
    path.lineTo(half, half);
    path.lineTo(0, -half);
    path.closePath();
    return path;
  }

  private void marks() {
    BasicStroke dotted = stroke(1.2f, 2, 4);
    Font font = Canvas.TYPE.deriveFont(12f);
    for (Axis.Mark mark : chart.x().marks()) {
      if (x.contains(mark.at())) {
        double at = atX(mark.at());
        line(at, TOP, at, bottom, Palette.MARK, dotted);
        boolean leftwards = at > (left + right) / 2;
        double beside = at + (leftwards ? -GAP : GAP);
        canvas.text(mark.text(), font, Palette.MARK_TEXT, beside, TOP + 16, leftwards ? 1 : 0);
      }
    }
    for (Axis.Mark mark : chart.y().marks()) {
      if (y.contains(mark.at())) {
        double at = atY(mark.at());
        line(left, at, right, at, Palette.MARK, dotted);
        canvas.text(mark.text(), font, Palette.MARK_TEXT, left + GAP, at - 5, 0);
      }
    }
  }

  private void legend() {
    double from = right + 2 * GAP;
    double top = TOP + GAP;
    double line = Math.min(LEGEND_LINE, (HEIGHT - PADDING - top) / named().size());
    for (Series series : named()) {
      stroke(series, new Line2D.Double(from, top, from + LEGEND_STROKE, top));
      if (List.of(Style.BARS, Style.MARKED, Style.MARKERS).contains(series.style())) {
        marker(series, from + LEGEND_STROKE / 2.0, top);
      }
      String name = series.label().name();
      canvas.text(name, Canvas.TYPE, Palette.INK, from + LEGEND_STROKE + GAP, top + 5, 0);
      top += line;
    }
  }

  private static Color colour(Series series) {
    return Palette.colour(series.label().look());
  }

  private static Color translucent(Color colour, int alpha) {
    return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha);
  }

  private static BasicStroke solid(float width) {
    return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  private static BasicStroke dashed(float width, List<Integer> dash) {
    float[] lengths = new float[dash.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = dash.get(i);
    }
    return dash.isEmpty() ? solid(width) : stroke(width, lengths);
  }

  private static BasicStroke stroke(float width, float... onAndOff) {
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, onAndOff, 0f);
  }
}
