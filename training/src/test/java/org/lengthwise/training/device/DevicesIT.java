package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DevicesIT {
  @Test
  void theLoadedLibtorchIsReadFromTheMapsOfTheProcess() {
    Devices.libtorch();
    Path maps = Path.of("/proc/self/maps");
    assertThat(Libtorch.isMapped("libtorch_cpu.so", maps)).isTrue();
    assertThat(Libtorch.isMapped("torch_cpu.so", maps)).isFalse();
    assertThat(Libtorch.isMapped("libtorch_cpu.so", maps.resolve("absent"))).isFalse();
  }

  @Test
  void cpuMayHoldSeveralReplicas() {
    assertThat(Devices.listOf("cpu")).containsExactly(Device.cpu());
    assertThat(Devices.listOf("cpu:3")).containsExactly(Device.cpu(), Device.cpu(), Device.cpu());
  }
}
