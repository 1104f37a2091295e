package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.plot.Series.Point;

class PictureIT {
  /** A chart with a series of each style, error bars that leave it, and marks on both axes. */
  private static Chart chart(Axis.Scale x, Axis.Scale y) {
    List<Series> series = new ArrayList<>();
    for (Series.Style style : Series.Style.values()) {
      series.add(
          new Series(
              new Series.Label(style.name(), "run", series.size()),
              style,
              true,
              List.of(new Point(1, 2, 1, 90), new Point(4, 3), new Point(8, 5, 0.1, 6)),
              List.of(new Point(2, 2)),
              ""));
    }
    return new Chart(
        "chart",
        "Title",
        "hint",
        new Axis("x", x, Format.COUNT, List.of(), List.of(), List.of(new Axis.Mark(2, "a mark"))),
        new Axis("y", y, Format.NATS, List.of(), List.of(), List.of(new Axis.Mark(3, "a level"))),
        series);
  }

  @Test
  void everyStyleAndScaleIsDrawnAndTheBytesRepeat(@TempDir Path folder) throws Exception {
    for (Axis.Scale x : Axis.Scale.values()) {
      for (Axis.Scale y : List.of(Axis.Scale.LINEAR, Axis.Scale.LOG)) {
        String svg = new Picture(chart(x, y)).svg();
        assertThat(svg).contains("<svg").doesNotContain("NaN");
        assertThat(new Picture(chart(x, y)).svg()).isEqualTo(svg);
      }
    }
    List<Path> files = new Picture(chart(Axis.Scale.LINEAR, Axis.Scale.LOG)).write(folder);
    assertThat(files)
        .extracting(file -> file.getFileName().toString())
        .containsExactly("chart.svg", "chart.png");
    assertThat(ImageIO.read(Files.newInputStream(files.get(1))).getWidth()).isEqualTo(1920);
  }

  @Test
  void aPaleSeriesIsDashedInTheChartAndInTheLegend() {
    List<Point> points = List.of(new Point(1, 2), new Point(8, 5));
    Axis axis = new Axis("x", Axis.Scale.LINEAR, Format.COUNT, List.of(), List.of(), List.of());
    List<Series> series =
        IntStream.range(0, 2)
            .mapToObj(i -> new Series.Label("baseline " + i, "run" + i, i))
            .map(label -> new Series(label, Series.Style.PALE, points, ""))
            .toList();
    Chart chart = new Chart("chart", "Title", "", axis, axis, series);

    Pattern dashed = Pattern.compile("stroke-dasharray:3,5;\" d=\"M[0-9.,]+L[0-9.,]+\"");
    assertThat(dashed.matcher(new Picture(chart).svg()).results()).hasSize(4);
  }

  @Test
  void aLongLegendStaysInTheChart() {
    Axis axis = new Axis("x", Axis.Scale.LINEAR, Format.COUNT, List.of(), List.of(), List.of());
    List<Series> series =
        IntStream.range(0, 30)
            .mapToObj(i -> new Series.Label("scheme " + i, "run" + i, i))
            .map(label -> new Series(label, Series.Style.MARKERS, List.of(new Point(1, 2)), ""))
            .toList();
    String svg = new Picture(new Chart("chart", "Title", "", axis, axis, series)).svg();

    assertThat(Pattern.compile("[ML][0-9.]+,([0-9.]+)").matcher(svg).results())
        .allSatisfy(
            point ->
                assertThat(Double.parseDouble(point.group(1)))
                    .isLessThanOrEqualTo(ChartPainter.HEIGHT));
  }
}
