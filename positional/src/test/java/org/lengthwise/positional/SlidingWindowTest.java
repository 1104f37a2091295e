package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
  void keysOfAnotherChunkAreNotSeen() {
    SlidingWindow scheme = new SlidingWindow(null, 4, Within.ALIBI, null);
    assertThat(scheme.bias(VALUES, 1, 0, 7, 3)).isEqualTo(-3 / 16.0);
    assertThat(scheme.bias(VALUES, 1, 0, 7, 4)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(scheme.bias(VALUES, 1, 0, 8, 1)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(scheme.reach().receptiveField(9, 16)).isEqualTo(4);
    assertThat(scheme.reach().receptiveField(9, 17)).isEqualTo(1);
    assertThat(scheme.attendsByDistance()).isFalse();
  }

  @Test
  void rotationsAreThoseOfRopeWithAWindow() {
    Rope windowed = new Rope(100, 1, RopeScaling.none(), new LayerWindow(8, 0));
    SlidingWindow scheme = new SlidingWindow(8, null, Within.ROPE, 100.0);
    double[] vector = {1, 2, 3, 4};
    assertThat(scheme.rotate(vector, 7, 9)).isEqualTo(windowed.rotate(vector, 7, 9));
  }

  @Test
  void onlyWindowsAndChunksBeyondTheTrainingLengthAreScaled() {
    Rope windowed = new Rope(100, 1, RopeScaling.none(), new LayerWindow(8, 0));
    SlidingWindow chunks = new SlidingWindow(null, 8, Within.ROPE, null);
    SlidingWindow window = new SlidingWindow(8, null, Within.ROPE, 100.0);
    for (String text : List.of("yarn", "linear:4", "dynamic:2")) {
      PositionScaling scaling = PositionScaling.of(text);
      assertThat(window.scaled(scaling, 7)).isEqualTo(windowed.scaled(scaling, 7));
      assertThat(chunks.scaled(scaling, 7)).isPresent();
      assertThat(new SlidingWindow(8, Within.NONE).scaled(scaling, 7)).isEmpty();
      for (PositionalScheme scheme : List.of(window, chunks, windowed)) {
        assertThat(scheme.scaled(scaling, 8)).isEmpty();
        PositionChange change = new PositionChange(scaling, TestTemperature.NONE);
        assertThatThrownBy(() -> change.of(scheme, 8))
            .hasMessageContaining("cannot be changed by -" + scaling.label());
      }
    }
  }

  @Test
  void resultsListEachKindOfWindow() {
    assertThat(new SlidingWindow(8, Within.ALIBI).label()).isEqualTo("sliding-window");
    assertThat(new SlidingWindow(8, Within.ROPE).label()).isEqualTo("sliding-window-rope");
    assertThat(new SlidingWindow(null, 8, Within.NONE, null).label())
        .isEqualTo("sliding-window-chunk-none");
  }

  @Test
  void settingsThatContradictEachOtherAreRejected() {
    assertThatThrownBy(() -> new SlidingWindow(8, 8, Within.NONE, null))
        .hasMessageContaining("window: expected a window or a chunk, one of both")
        .hasMessageContaining("found window 8 and chunk 8");
    assertThatThrownBy(() -> new SlidingWindow(null, null, Within.NONE, null))
        .hasMessageContaining("found none");
    assertThatThrownBy(() -> new SlidingWindow(null, 0, Within.NONE, null))
        .hasMessageContaining("chunk: expected 1 to");
    assertThatThrownBy(() -> new SlidingWindow(8, null, Within.ALIBI, 100.0))
        .hasMessageContaining("base: expected no base, unless within is rope");
    assertThatThrownBy(() -> new SlidingWindow(8, null, Within.ROPE, 1.0))
        .hasMessageContaining("base");
    assertThatThrownBy(() -> new SlidingWindow(8, Within.ROPE).requireShape(2, 3, 6))
        .hasMessageContaining("heads of an even width");
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
