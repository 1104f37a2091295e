package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Series.Point;

class RangeTest {
  private static final Axis LINEAR = new Axis("", Axis.Scale.LINEAR, Format.NATS);
  private static final Axis LOG = new Axis("", Axis.Scale.LOG, Format.NUMBER);

  @Test
  void marginIsAShareOfTheSpan() {
    Range range = Range.of(DoubleStream.of(3, 1, 11), false).widened(0.1, 0.2, false);
    assertThat(range).isEqualTo(new Range(0, 13));
  }

  @Test
  void marginOfALogarithmicAxisIsAShareOfItsDecades() {
    Range range = Range.of(DoubleStream.of(1, 100), true).widened(0.5, 0.5, true);
    assertThat(range.low()).isCloseTo(0.1, within(1e-12));
    assertThat(range.high()).isCloseTo(1000, within(1e-9));
  }

  @Test
  void equalValuesHaveAMarginToo() {
    Range same = Range.of(DoubleStream.of(5, 5), false);
    assertThat(same.widened(0.5, 0.5, false).high()).isCloseTo(5.05, within(1e-12));
    assertThat(same.widened(0.5, 0.5, true).low()).isLessThan(5).isGreaterThan(4.9);
    assertThat(new Range(0, 0).widened(0.5, 0.5, false)).isEqualTo(new Range(-0.5, 0.5));
  }

  @Test
  void intervalsWidenTheRangeAtMostByTheRangeOfThePoints() {
    List<Point> points = List.of(new Point(1, 2, 1.9, 9), new Point(2, 3, 2.9, 3.1));
    assertThat(Range.ofY(points, LINEAR)).isEqualTo(new Range(1.9, 4));
    Range logarithmic = Range.ofY(List.of(new Point(1, 2, 0.1, 3), new Point(2, 4, 3, 99)), LOG);
    assertThat(logarithmic.low()).isCloseTo(1, within(1e-12));
    assertThat(logarithmic.high()).isCloseTo(8, within(1e-12));
  }

  @Test
  void theSpanOfAnAxisIsAlwaysShown() {
    Axis share =
        new Axis("", Axis.Scale.LINEAR, Format.SHARE, List.of(0.0, 1.0), List.of(), List.of());
    assertThat(Range.ofY(List.of(new Point(1, 0.5)), share)).isEqualTo(new Range(0, 1));
    assertThat(Range.ofX(List.of(), share)).isEqualTo(new Range(0, 1));
  }
}
