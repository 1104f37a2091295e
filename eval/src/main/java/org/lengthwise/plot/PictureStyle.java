package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The style of picture files: paper, type, and the strokes and markers of each kind of series. */
final class PictureStyle {
  private static final float STRONG = 2.2f;
  private static final float THIN = 1.5f;
  private static final int PALE_ALPHA = 140;

  /** The dash of a pale series in the legend, about as long as the gaps of its curve. */
  private static final float[] PALE_DASH = {3, 5};

  private static final int BAND_ALPHA = 46;
  private static final int FAINT_BAND_ALPHA = 16;

  private PictureStyle() {}

  /** Sets paper, type and grid. */
  static void apply(XYChart drawing, boolean legend) {
    XYStyler style = drawing.getStyler();
    paper(style);
    type(style);
    grid(style);
    style.setLegendVisible(legend);
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
    style.setAnnotationLineColor(Palette.MARK);
    style.setAnnotationLineStroke(stroke(1.2f, 2, 4));
  }

  private static void type(XYStyler style) {
    Font text = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    style.setBaseFont(text);
    style.setChartFontColor(Palette.INK);
    style.setChartTitleFont(text.deriveFont(Font.BOLD, 17f));
    style.setChartTitlePadding(10);
    style.setAxisTitleFont(text);
    style.setAxisTickLabelsFont(text.deriveFont(13f));
    style.setLegendFont(text);
    style.setAnnotationTextFont(text.deriveFont(12f));
    style.setAnnotationTextFontColor(Palette.MARK_TEXT);
  }

  private static void grid(XYStyler style) {
    style.setAxisTickLabelsColor(Palette.INK);
    style.setAxisTickMarksColor(Palette.MARK);
    style.setYAxisLabelAlignment(AxesChartStyler.TextAlignment.Right);
    style.setAxisTitlePadding(10);
    style.setAxisTicksLineVisible(false);
    style.setPlotGridVerticalLinesVisible(false);
    style.setPlotGridLinesColor(Palette.GRID);
    style.setPlotGridLinesStroke(new BasicStroke(1f));
  }

  /** Sets the colour of a series, without markers and not in the legend. */
  static void colour(XYSeries drawn, Series series) {
    drawn.setLineColor(Palette.colour(series.label().look()));
    drawn.setMarkerColor(Palette.colour(series.label().look()));
    drawn.setMarker(SeriesMarkers.NONE);
    drawn.setShowInLegend(false);
  }

  /** Sets stroke, markers and legend of a line. */
  static void line(XYSeries line, Series series) {
    line.setLabel(series.label().name());
    line.setShowInLegend(series.named());
    List<Integer> dash = Palette.look(series.label().look()).dash();
    switch (series.style()) {
      case BARS, MARKED -> {
        line.setMarker(marker(series));
        line.setLineStyle(dash.isEmpty() ? solid(STRONG) : stroke(STRONG, floats(dash)));
      }
      case MARKERS -> markers(line, series);
      case SOLID -> line.setLineStyle(solid(STRONG));
      case THIN -> pale(line);
      case PALE -> {
        pale(line);
        line.setLineStyle(stroke(THIN, PALE_DASH));
      }
      case LIMIT -> line.setLineStyle(solid(THIN));
    }
  }

  /** Sets markers without a line. */
  static void markers(XYSeries markers, Series series) {
    markers.setLineStyle(SeriesLines.NONE);
    markers.setMarker(marker(series));
  }

  /** Sets a thin translucent line. */
  static void pale(XYSeries line) {
    line.setLineStyle(solid(THIN));
    line.setLineColor(translucent(line.getLineColor(), PALE_ALPHA));
  }

  /** Sets a filled area without a line. */
  static void band(XYSeries area, Series series) {
    area.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.PolygonArea);
    area.setFillColor(
        translucent(
            area.getLineColor(),
            series.style() == Series.Style.MARKED ? FAINT_BAND_ALPHA : BAND_ALPHA));
    area.setLineStyle(SeriesLines.NONE);
  }

  private static Marker marker(Series series) {
    return switch (Palette.look(series.label().look()).marker()) {
      case CIRCLE -> SeriesMarkers.CIRCLE;
      case SQUARE -> SeriesMarkers.SQUARE;
      case TRIANGLE -> SeriesMarkers.TRIANGLE_UP;
      case DIAMOND -> SeriesMarkers.DIAMOND;
      case TRIANGLE_DOWN -> SeriesMarkers.TRIANGLE_DOWN;
    };
  }

  private static float[] floats(List<Integer> values) {
    float[] floats = new float[values.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values.get(i);
    }
    return floats;
  }

  private static Color translucent(Color colour, int alpha) {
    return new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha);
  }

  private static BasicStroke solid(float width) {
    return new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  private static BasicStroke stroke(float width, float... onAndOff) {
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, onAndOff, 0f);
  }
}
