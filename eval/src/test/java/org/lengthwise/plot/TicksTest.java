package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Axis.Scale;

class TicksTest {
  private static Ticks x(Scale scale, double low, double high) {
    return Ticks.ofX(new Axis("x", scale, Format.NUMBER), new Range(low, high), 800);
  }

  @Test
  void ticksAreRoundNumbersWithRoomForTheirLabels() {
    assertThat(x(Scale.LINEAR, 0.5, 41).values())
        .containsExactly(5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0);
    Axis axis = new Axis("y", Scale.LINEAR, Format.NUMBER);
    assertThat(Ticks.ofY(axis, new Range(0, 1), 200).values()).containsExactly(0.0, 0.5, 1.0);
  }

  @Test
  void longLogarithmicAxisHasFewerLabelsAndThenFewerTicks() {
    Ticks digits = x(Scale.LOG, 2.5, 60);
    assertThat(digits.values().stream().map(digits::label))
        .containsExactly("", "", "5", "", "", "", "", "10", "20", "", "", "50", "");
    assertThat(x(Scale.LOG, 1, 2000).values()).containsExactly(1.0, 10.0, 100.0, 1000.0);
  }

  @Test
  void doublingsBeginAtTheGivenTick() {
    Axis axis = new Axis("x", Scale.DOUBLINGS, Format.COUNT, List.of(), List.of(96.0), List.of());
    assertThat(Ticks.ofX(axis, new Range(90, 800), 800).values())
        .containsExactly(96.0, 192.0, 384.0, 768.0);
    assertThat(Ticks.ofX(axis, new Range(90, 800), 80).values()).containsExactly(96.0, 384.0);
  }
}
