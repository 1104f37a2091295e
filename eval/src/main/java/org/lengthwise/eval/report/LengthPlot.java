package org.lengthwise.eval.report;

import java.awt.BasicStroke;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.lengthwise.dataprep.inspect.LengthHistogram;
import org.lengthwise.dataprep.inspect.LengthHistogram.Bin;

/** The lengths of documents as a stepped area, one tick for each doubling. */
public final class LengthPlot {
  private static final String NAME = "document-lengths";

  /** Free space above the highest step. */
  private static final double HEADROOM = 1.08;

  private LengthPlot() {}

  /**
   * Draws a histogram as {@code document-lengths.svg} and {@code document-lengths.png}, over
   * earlier ones.
   *
   * @param histogram the lengths, of one document at least
   * @param folder where to, created if need be
   * @return the two files
   * @throws IOException if a file cannot be written
   */
  public static List<Path> write(LengthHistogram histogram, Path folder) throws IOException {
    Files.createDirectories(folder);
    return draw(histogram.bins()).write(folder);
  }

  private static Plot draw(List<Bin> bins) {
    String title = "Lengths of documents";
    String series = "documents";
    PlotStyle style = new PlotStyle(List.of(series));
    XYChart chart = style.chart(title, "length in tokens, end-of-text included", series);
    chart.getStyler().setLegendVisible(false);
    double[] xs = new double[bins.size() + 2];
    double[] ys = new double[bins.size() + 2];
    double first = log2((double) bins.get(0).from());
    xs[0] = first;
    for (int i = 0; i < bins.size(); i++) {
      xs[i + 1] = first + i;
      ys[i + 1] = bins.get(i).documents();
    }
    xs[bins.size() + 1] = first + bins.size();
    XYSeries steps = chart.addSeries(series, xs, ys);
    steps.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.StepArea);
    style.drawCurve(steps, series, false);
    steps.setFillColor(steps.getLineColor());
    steps.setLineStyle(new BasicStroke(1f));
    steps.setMarker(SeriesMarkers.NONE);
    long most = bins.stream().mapToLong(Bin::documents).max().orElseThrow();
    PlotStyle.unitTicksOnX(chart, first, first + bins.size());
    chart.getStyler().setXAxisTickLabelsFormattingFunction(x -> Numbers.count(Math.round(exp2(x))));
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setYAxisMax(HEADROOM * most);
    chart.getStyler().setYAxisTickLabelsFormattingFunction(y -> Numbers.count(Math.round(y)));
    return new Plot(NAME, title, chart);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static double exp2(double value) {
    return Math.pow(2, value);
  }
}
