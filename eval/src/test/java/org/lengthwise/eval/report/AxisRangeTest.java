package org.lengthwise.eval.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AxisRangeTest {

  @Test
  void marginIsAShareOfTheSpan() {
    AxisRange range = AxisRange.of(Stream.of(3.0, 1.0, 11.0)).widened(0.1, false);
    assertThat(range).isEqualTo(new AxisRange(0, 12));
  }

  @Test
  void marginOfALogarithmicAxisIsAShareOfItsDecades() {
    AxisRange range = AxisRange.of(Stream.of(1.0, 100.0)).widened(0.5, true);
    assertThat(range.low()).isCloseTo(0.1, within(1e-12));
    assertThat(range.high()).isCloseTo(1000, within(1e-9));
  }

  @Test
  void valuesThatAreAllTheSameHaveAMarginTooUnlessTheyAreZero() {
    AxisRange same = AxisRange.of(Stream.of(5.0, 5.0));
    assertThat(same.widened(0.5, false).high()).isCloseTo(5.05, within(1e-12));
    assertThat(same.widened(0.5, true).low()).isLessThan(5).isGreaterThan(4.9);
    AxisRange nothing = new AxisRange(0, 0);
    assertThat(nothing.widened(0.5, false)).isEqualTo(nothing);
  }
}
