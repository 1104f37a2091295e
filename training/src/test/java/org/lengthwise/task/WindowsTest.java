package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lengthwise.error.DataFormatException;

class WindowsTest {

  @Test
  void windowsOverlapByOneTokenSoThatEachIsATargetOnce() {
    assertThat(new Windows(new RepeatingTokens(101, 7), 10, "train").numWindows()).isEqualTo(10);
    assertThat(new Windows(new RepeatingTokens(100, 7), 10, "train").numWindows()).isEqualTo(9);
  }

  @Test
  void splitShorterThanOneWindowIsBadData() {
    assertThatThrownBy(() -> new Windows(new RepeatingTokens(10, 7), 10, "train"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("train split")
        .hasMessageContaining("at least 11 tokens")
        .hasMessageContaining("10 tokens");
  }
}
