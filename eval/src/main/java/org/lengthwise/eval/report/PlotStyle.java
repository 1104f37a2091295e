package org.lengthwise.eval.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * What the plots of a report share: size, type, ink, and one colour, dash pattern and marker for
 * each run.
 *
 * <p>The colours are told apart by readers with any of the common colour deficiencies (after Okabe
 * and Ito, yellow darkened to be seen on white). Dash pattern and marker alone tell runs apart too,
 * as a print without colours has them; the page's script has the same ones in the same order.
 */
final class PlotStyle {
  /** Text and axes. */
  static final Color INK = new Color(0x33, 0x37, 0x3d);

  /** Grid lines. */
  static final Color GRID = new Color(0xe3, 0xe5, 0xe8);

  /** The mark at the training length. */
  static final Color MARK = new Color(0x8a, 0x8f, 0x98);

  /** The word at that mark, dark enough to read. */
  static final Color MARK_TEXT = new Color(0x5c, 0x62, 0x6b);

  private static final List<Color> COLOURS =
      List.of(
          new Color(0x00, 0x72, 0xb2),
          new Color(0xe6, 0x9f, 0x00),
          new Color(0x00, 0x9e, 0x73),
          new Color(0xd5, 0x5e, 0x00),
          new Color(0xcc, 0x79, 0xa7),
          new Color(0x56, 0xb4, 0xe9),
          new Color(0x9a, 0x8b, 0x12),
          new Color(0x7a, 0x7f, 0x87));

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND);

  /** Lengths of strokes and gaps by turns; the first is a solid line. */
  private static final List<float[]> DASHES =
      List.of(
          new float[] {},
          new float[] {7, 3},
          new float[] {2, 3},
          new float[] {8, 3, 2, 3},
          new float[] {12, 3},
          new float[] {5, 5},
          new float[] {4, 2},
          new float[] {10, 3, 2, 3, 2, 3});

  /** What is left of a colour when the palette is gone through once more, the rest being ink. */
  private static final float DARKENED = 0.6f;

  private static final int WIDTH = 960;
  private static final int HEIGHT = 540;
  private static final float LINE_WIDTH = 2.2f;
  private static final int PALE_ALPHA = 140;
  private static final float FAINT_LINE_WIDTH = 1.5f;

  /** About what the legend and the titles leave of the drawing for the plot itself. */
  private static final int PLOT_WIDTH = 690;

  private static final int PLOT_HEIGHT = 430;

  /** The spacing hint that makes the library set its ticks one unit apart, or wider if need be. */
  private static final double ONE_UNIT = 1;

  private static final int LEAST_TICK_SPACING = 40;

  /** Free space around the data on an axis of doublings. */
  private static final double UNIT_MARGIN = 0.25;

  /** Free space above and below the data on a linear axis, as a share of its range. */
  private static final double MARGIN = 0.08;

  /** The same as a share of the value itself, where the range is next to nothing. */
  private static final double LEAST_MARGIN = 0.01;

  /** Half the width of the word at a mark, with some air. */
  private static final double HALF_WORD = 58;

  private final List<String> runs;

  /**
   * A style that gives each of these runs its own colour; past the palette the colours come again,
   * darker, with other dashes and markers.
   *
   * @param runs every run of the report, in its order
   */
  PlotStyle(List<String> runs) {
    this.runs = List.copyOf(runs);
  }

  /** An empty chart with the axes named. */
  XYChart chart(String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    XYStyler style = chart.getStyler();
    paper(style);
    type(style);
    axes(style);
    return chart;
  }

  private static void paper(XYStyler style) {
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setChartPadding(16);
    style.setPlotContentSize(1);
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setLegendBorderColor(Color.WHITE);
    style.setLegendBackgroundColor(Color.WHITE);
    style.setLegendSeriesLineLength(28);
    style.setLegendPadding(8);
    style.setMarkerSize(8);
    style.setAnnotationLineColor(MARK);
    style.setAnnotationLineStroke(dashes(1.2f, 2, 4));
  }

  private static void type(XYStyler style) {
    Font text = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    style.setBaseFont(text);
    style.setChartFontColor(INK);
    style.setChartTitleFont(text.deriveFont(Font.BOLD, 17f));
    style.setChartTitlePadding(10);
    style.setAxisTitleFont(text);
    style.setAxisTickLabelsFont(text.deriveFont(13f));
    style.setLegendFont(text);
    style.setAnnotationTextFont(text.deriveFont(12f));
    style.setAnnotationTextFontColor(MARK_TEXT);
  }

  private static void axes(XYStyler style) {
    style.setAxisTickLabelsColor(INK);
    style.setAxisTickMarksColor(MARK);
    style.setYAxisLabelAlignment(AxesChartStyler.TextAlignment.Right);
    style.setAxisTitlePadding(10);
    style.setAxisTicksLineVisible(false);
    style.setPlotGridVerticalLinesVisible(false);
    style.setPlotGridLinesColor(GRID);
    style.setPlotGridLinesStroke(new BasicStroke(1f));
    style.setErrorBarsColorSeriesColor(true);
  }

  /**
   * What a curve is sure to within.
   *
   * @param xs the places, rising
   * @param low the lower end at each
   * @param high the upper end
   * @param alpha how much it covers of what lies below, of 255
   */
  record Band(double[] xs, double[] low, double[] high, int alpha) {}

  /** Draws a series of few points in the colour, the dashes and with the marker of its run. */
  void draw(XYSeries series, String run) {
    outline(series, run);
    int index = runs.indexOf(run);
    int round = index / COLOURS.size();
    series.setLineStyle(line(DASHES.get((index + 2 * round) % DASHES.size())));
    series.setMarker(MARKERS.get((index + round) % MARKERS.size()));
  }

  private static BasicStroke line(float[] dashes) {
    return dashes.length == 0
        ? new BasicStroke(LINE_WIDTH, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
        : dashes(LINE_WIDTH, dashes);
  }

  /** Draws a dense curve behind others in the colour of its run, without markers. */
  void drawPale(XYSeries series, String run) {
    drawCurve(series, run, true);
    series.setLineColor(translucent(series.getLineColor(), PALE_ALPHA));
  }

  /** Draws a dense curve in the colour of its run, without markers, faint or strong. */
  void drawCurve(XYSeries series, String run, boolean faint) {
    outline(series, run);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(
        new BasicStroke(
            faint ? FAINT_LINE_WIDTH : LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
  }

  /** Fills a band, without a line around it. */
  void drawBand(XYChart chart, String name, String run, Band band) {
    int last = band.xs().length - 1;
    IntUnaryOperator thereAndBack = i -> i <= last ? i : 2 * last + 1 - i;
    XYSeries area =
        chart.addSeries(
            name,
            IntStream.range(0, 2 * last + 2)
                .mapToDouble(i -> band.xs()[thereAndBack.applyAsInt(i)])
                .toArray(),
            IntStream.range(0, 2 * last + 2)
                .mapToDouble(
                    i -> (i <= last ? band.low() : band.high())[thereAndBack.applyAsInt(i)])
                .toArray());
    area.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
    outline(area, run);
    area.setFillColor(translucent(area.getLineColor(), band.alpha()));
    area.setLineStyle(SeriesLines.NONE);
    area.setMarker(SeriesMarkers.NONE);
    area.setShowInLegend(false);
  }

  private void outline(XYSeries series, String run) {
    int index = runs.indexOf(run);
    Color colour = COLOURS.get(index % COLOURS.size());
    if (index / COLOURS.size() % 2 == 1) {
      colour = darkened(colour);
    }
    series.setLineColor(colour);
    series.setMarkerColor(colour);
  }

  private static Color darkened(Color colour) {
    float[] from = INK.getRGBColorComponents(null);
    float[] to = colour.getRGBColorComponents(null);
    return new Color(
        from[0] + DARKENED * (to[0] - from[0]),
        from[1] + DARKENED * (to[1] - from[1]),
        from[2] + DARKENED * (to[2] - from[2]));
  }

  private static Color translucent(Color colour, int alpha) {
    return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha);
  }

  /** Marks a place on the x axis with a dotted line, and with a word beside it. */
  static void mark(XYChart chart, double x, AnnotationText word) {
    chart.addAnnotation(new AnnotationLine(x, true, false));
    chart.addAnnotation(word);
  }

  /** Sets the x axis with one tick for each unit. */
  static void unitTicksOnX(XYChart chart, double from, double to) {
    chart.getStyler().setXAxisMin(from);
    chart.getStyler().setXAxisMax(to);
    chart.getStyler().setXAxisTickMarkSpacingHint(spacing(PLOT_WIDTH, to - from));
  }

  /** Sets the y axis with one tick for each unit. */
  static void unitTicksOnY(XYChart chart, double from, double to) {
    chart.getStyler().setYAxisMin(from);
    chart.getStyler().setYAxisMax(to);
    chart.getStyler().setYAxisTickMarkSpacingHint(spacing(PLOT_HEIGHT, to - from));
  }

  /**
   * Sets the y axis to a range with some air, more of it above, where the words of a mark go.
   *
   * @return the height of such words
   */
  static double scaleY(XYChart chart, PlotRange range, boolean unitTicks) {
    double margin =
        unitTicks
            ? UNIT_MARGIN
            : Math.max(
                MARGIN * (range.high() - range.low()), LEAST_MARGIN * Math.abs(range.high()));
    double low = range.low() - margin;
    double high = range.high() + 2 * margin;
    if (unitTicks) {
      unitTicksOnY(chart, low, high);
    } else {
      chart.getStyler().setYAxisMin(low);
      chart.getStyler().setYAxisMax(high);
    }
    return range.high() + 1.6 * margin;
  }

  private static int spacing(int pixels, double units) {
    return Math.max(LEAST_TICK_SPACING, (int) (ONE_UNIT * pixels / units));
  }

  /** How far from a mark its word is centred, on an axis of so many units. */
  static double besideMark(double units) {
    return HALF_WORD * units / PLOT_WIDTH;
  }

  private static BasicStroke dashes(float width, float... onAndOff) {
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, onAndOff, 0f);
  }
}
