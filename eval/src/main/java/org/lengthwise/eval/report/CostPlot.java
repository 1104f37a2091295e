package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.knowm.xchart.XYChart;
import org.lengthwise.eval.bench.BenchRow;
import org.lengthwise.eval.bench.Part;

/**
 * The cost of attention against length, one line for each scheme: one tick for each doubling of the
 * length, one for each tenfold cost.
 */
public final class CostPlot {
  /** Free space around the data, in units of the axes. */
  private static final double MARGIN = 0.25;

  private final List<BenchRow> rows;
  private final String subject;
  private final PlotStyle style;

  private CostPlot(List<BenchRow> rows, String subject, PlotStyle style) {
    this.rows = rows;
    this.subject = subject;
    this.style = style;
  }

  /**
   * Draws the rows of the part scaling, a plot for each kind of pass, as {@code cost-KIND.svg} and
   * {@code .png} over earlier ones.
   *
   * @param all rows of any part; forms that others are compared with are not drawn
   * @param folder where to, created if need be
   * @return the files, none if there are no such rows
   * @throws IOException if a file cannot be written
   */
  public static List<Path> write(List<BenchRow> all, Path folder) throws IOException {
    List<BenchRow> rows = withoutReferences(all);
    Map<String, List<BenchRow>> bySubject =
        rows.stream()
            .filter(row -> row.part() == Part.SCALING)
            .collect(
                Collectors.groupingBy(BenchRow::subject, LinkedHashMap::new, Collectors.toList()));
    PlotStyle style = new PlotStyle(forms(rows));
    List<Path> files = new ArrayList<>();
    Files.createDirectories(folder);
    for (Map.Entry<String, List<BenchRow>> entry : bySubject.entrySet()) {
      files.addAll(new CostPlot(entry.getValue(), entry.getKey(), style).draw().write(folder));
    }
    return files;
  }

  private static List<BenchRow> withoutReferences(List<BenchRow> rows) {
    Set<String> references =
        rows.stream()
            .flatMap(row -> row.comparisons().stream())
            .map(BenchRow.Comparison::to)
            .collect(Collectors.toSet());
    return rows.stream().filter(row -> !references.contains(row.form())).toList();
  }

  private static List<String> forms(List<BenchRow> rows) {
    return rows.stream()
        .filter(row -> row.part() == Part.SCALING)
        .map(BenchRow::form)
        .distinct()
        .toList();
  }

  private Plot draw() {
    String title = "Attention of one block, " + subject;
    XYChart chart =
        style.chart(title, "length in tokens", "milliseconds (each tick is ten times the last)");
    for (String form : forms(rows)) {
      List<BenchRow> own = rows.stream().filter(row -> row.form().equals(form)).toList();
      double[] xs = own.stream().mapToDouble(CostPlot::x).toArray();
      double[] ys = own.stream().mapToDouble(CostPlot::y).toArray();
      style.draw(chart.addSeries(form, xs, ys), form);
    }
    double[] xs = rows.stream().mapToDouble(CostPlot::x).sorted().toArray();
    double[] ys = rows.stream().mapToDouble(CostPlot::y).sorted().toArray();
    PlotStyle.unitTicksOnX(chart, xs[0] - MARGIN, xs[xs.length - 1] + MARGIN);
    double top = Math.ceil(ys[ys.length - 1]);
    PlotStyle.unitTicksOnY(chart, Math.floor(ys[0]) - MARGIN, top + MARGIN);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(x -> Numbers.count(Math.round(Math.pow(2, x))));
    chart.getStyler().setYAxisTickLabelsFormattingFunction(CostPlot::milliseconds);
    return new Plot("cost-" + subject.replace(' ', '-'), title, chart);
  }

  private static double x(BenchRow row) {
    return Math.log(row.length()) / Math.log(2);
  }

  private static double y(BenchRow row) {
    return Math.log10(row.milliseconds().median());
  }

  private static String milliseconds(double y) {
    return y < 0
        ? String.format(Locale.ROOT, "%.2g", Math.pow(10, y))
        : Numbers.count(Math.round(Math.pow(10, y)));
  }
}
