package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

class ChartTest {
  private static Series series(String run, int look) {
    return new Series(new Label(run, run, look), Style.BARS, List.of(new Point(1, 2, 1, 3)), "{y}");
  }

  /** A chart of some runs and a line that is of no run. */
  private static Chart chart(int runs) {
    Axis axis = new Axis("x", Scale.LINEAR, Format.COUNT);
    return new Chart(
        "many",
        "Many",
        "",
        axis,
        axis,
        Stream.concat(
                Stream.of(new Series(new Label("guess", "", 50), Style.THIN, List.of(), "{y}")),
                IntStream.range(0, runs).mapToObj(i -> series("r" + i, i)))
            .toList());
  }

  @Test
  void fewRunsAreOneChart() {
    assertThat(chart(10).panels()).containsExactly(chart(10));
  }

  @Test
  void manyRunsAreInPanelsWithAllOthersInGreyBehind() {
    List<Chart> panels = chart(13).panels();

    assertThat(panels).extracting(Chart::name).containsExactly("many-1", "many-2", "many-3");
    assertThat(panels).extracting(Chart::series).allSatisfy(all -> assertThat(all).hasSize(14));
    assertThat(panels.stream().map(ChartTest::named))
        .containsExactly(
            List.of("guess", "r0", "r1", "r2", "r3"),
            List.of("guess", "r4", "r5", "r6", "r7"),
            List.of("guess", "r8", "r9", "r10", "r11", "r12"));
    Series grey = panels.get(0).series().get(0);
    assertThat(grey.label()).isEqualTo(new Label("r4", "r4", Label.GREY));
    assertThat(grey.style()).isEqualTo(Style.THIN);
    assertThat(grey.points()).containsExactly(new Point(1, 2));
  }

  private static List<String> named(Chart panel) {
    return panel.series().stream().filter(Series::named).map(one -> one.label().name()).toList();
  }
}
