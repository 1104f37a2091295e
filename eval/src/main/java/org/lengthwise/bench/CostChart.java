package org.lengthwise.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

/** The cost of a pass against length, one line for each variant. */
public final class CostChart {
  private CostChart() {}

  /** What the charts of a part show. */
  private record View(
      BenchPart part, String name, String title, String unit, ToDoubleFunction<BenchRow> cost) {}

  private static final List<View> VIEWS =
      List.of(
          new View(
              BenchPart.SCALING,
              "cost-",
              "Attention of one block, ",
              "milliseconds",
              row -> row.milliseconds().median()),
          new View(
              BenchPart.RECURRENCE,
              "slowdown-",
              "",
              "time over that of the plain decoder",
              row -> 1 / Objects.requireNonNull(row.comparisons().get(0).ratio())));

  /**
   * {@return the rows of the parts scaling and recurrence as charts {@code cost-KIND} and {@code
   * slowdown-FIGURE-PASS}, one for each workload; none if there are no such rows}
   *
   * @param all rows of any part; variants that others are compared with are omitted
   */
  public static List<Chart> of(List<BenchRow> all) {
    return VIEWS.stream().flatMap(view -> charts(view, all)).toList();
  }

  private static Stream<Chart> charts(View view, List<BenchRow> all) {
    Set<String> references =
        all.stream()
            .filter(row -> row.part() == view.part())
            .flatMap(row -> row.comparisons().stream())
            .map(BenchRow.Contrast::to)
            .collect(Collectors.toSet());
    Map<String, List<BenchRow>> byWorkload =
        all.stream()
            .filter(row -> row.part() == view.part() && !references.contains(row.variant()))
            .collect(
                Collectors.groupingBy(BenchRow::workload, LinkedHashMap::new, Collectors.toList()));
    List<String> variants =
        byWorkload.values().stream()
            .flatMap(List::stream)
            .map(BenchRow::variant)
            .distinct()
            .toList();
    return byWorkload.entrySet().stream()
        .map(workload -> chart(view, workload.getKey(), workload.getValue(), variants));
  }

  private static Chart chart(
      View view, String workload, List<BenchRow> rows, List<String> variants) {
    List<Double> lengths =
        rows.stream().map(row -> (double) row.length()).distinct().sorted().toList();
    return new Chart(
        view.name() + workload.replaceAll("\\W+", "-"),
        view.title() + workload,
        "",
        new Axis("length in tokens", Scale.DOUBLINGS, Format.COUNT, lengths, lengths, List.of()),
        new Axis(view.unit(), Scale.LOG, Format.NUMBER),
        variants.stream()
            .map(variant -> series(view, variant, variants.indexOf(variant), rows))
            .filter(series -> !series.points().isEmpty())
            .toList());
  }

  private static Series series(View view, String variant, int look, List<BenchRow> rows) {
    List<Point> points =
        rows.stream()
            .filter(row -> row.variant().equals(variant))
            .map(row -> new Point(row.length(), view.cost().applyAsDouble(row)))
            .toList();
    return new Series(new Label(variant, variant, look), Style.MARKED, points, "");
  }
}
