package org.lengthwise.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

/** The time of attention against length, one line for each scheme. */
public final class CostChart {
  private CostChart() {}

  /**
   * The rows of the part scaling as charts, one for each kind of pass.
   *
   * @param all rows of any part; variants that others are compared with are omitted
   * @return the charts {@code cost-KIND}; none if there are no such rows
   */
  public static List<Chart> of(List<BenchRow> all) {
    Set<String> references =
        all.stream()
            .flatMap(row -> row.comparisons().stream())
            .map(BenchRow.Contrast::to)
            .collect(Collectors.toSet());
    List<BenchRow> rows =
        all.stream()
            .filter(row -> row.part() == BenchPart.SCALING && !references.contains(row.variant()))
            .toList();
    List<String> variants = rows.stream().map(BenchRow::variant).distinct().toList();
    Map<String, List<BenchRow>> byWorkload =
        rows.stream()
            .collect(
                Collectors.groupingBy(BenchRow::workload, LinkedHashMap::new, Collectors.toList()));
    return byWorkload.entrySet().stream()
        .map(workload -> chart(workload.getKey(), workload.getValue(), variants))
        .toList();
  }

  private static Chart chart(String workload, List<BenchRow> rows, List<String> variants) {
    List<Double> lengths =
        rows.stream().map(row -> (double) row.length()).distinct().sorted().toList();
    return new Chart(
        "cost-" + workload.replace(' ', '-'),
        "Attention of one block, " + workload,
        "",
        new Axis("length in tokens", Scale.DOUBLINGS, Format.COUNT, lengths, lengths, List.of()),
        new Axis("milliseconds", Scale.LOG, Format.NUMBER),
        variants.stream()
            .map(variant -> series(variant, variants.indexOf(variant), rows))
            .filter(series -> !series.points().isEmpty())
            .toList());
  }

  private static Series series(String variant, int look, List<BenchRow> rows) {
    List<Point> points =
        rows.stream()
            .filter(row -> row.variant().equals(variant))
            .map(row -> new Point(row.length(), row.milliseconds().median()))
            .toList();
    return new Series(new Label(variant, variant, look), Style.MARKED, points, "");
  }
}
