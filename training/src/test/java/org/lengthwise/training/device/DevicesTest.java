package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.lengthwise.error.ConfigException;

class DevicesTest {
  @Test
  void gpusAreListedByNumberOrAllTogether() {
    assertThat(Devices.gpuIndexes("0,2,3", 4)).containsExactly(0, 2, 3);
    assertThat(Devices.gpuIndexes("all", 4)).containsExactly(0, 1, 2, 3);
    assertThatThrownBy(() -> Devices.gpuIndexes("1,1", 4))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected each GPU once");
  }

  @Test
  void otherNamesAreRejected() {
    assertThatThrownBy(() -> Devices.listOf("cpu:0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gpu:all");
  }
}
