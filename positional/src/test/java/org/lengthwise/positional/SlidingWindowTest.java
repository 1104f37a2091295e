package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.SlidingWindow.Within;

class SlidingWindowTest {
  private static final PositionalValues VALUES = new PositionalValues(4, 1, Map.of());

  @Test
  void keysBeyondTheWindowAreNotSeen() {
    SlidingWindow scheme = new SlidingWindow(32, Within.NONE);
    assertThat(scheme.bias(VALUES, 0, 0, 99, 31)).isZero();
    assertThat(scheme.bias(VALUES, 0, 0, 99, 32)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void withinTheWindowTheBiasIsAlibisOrNone() {
    SlidingWindow scheme = new SlidingWindow(32, Within.ALIBI);
    assertThat(scheme.bias(VALUES, 1, 0, 99, 31)).isEqualTo(-31 / 16.0);
    assertThat(scheme.bias(VALUES, 1, 0, 99, 32)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void windowsThatAreEmptyOrTooLargeAreRejected() {
    for (int wrong : new int[] {0, 1_000_001, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> new SlidingWindow(wrong, Within.ALIBI))
          .hasMessageContaining("window: expected 1 to")
          .hasMessageContaining("found " + wrong);
    }
  }
}
