package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import org.junit.jupiter.api.Test;

class DevicesIT {
  @Test
  void cpuMayHoldSeveralReplicas() {
    assertThat(Devices.listOf("cpu")).containsExactly(Device.cpu());
    assertThat(Devices.listOf("cpu:3")).containsExactly(Device.cpu(), Device.cpu(), Device.cpu());
  }
}
