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
  void aGpuNeedsALibtorchForCudaAndThenADevice() {
    Libtorch forCpus = new Libtorch("2.7.1", false);
    Libtorch forCuda = new Libtorch("2.7.1", true);
    assertThatThrownBy(() -> Devices.requireGpu(0, 8, forCpus))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected libtorch_cuda.so for gpu:0, found libtorch 2.7.1 for CPUs");
    assertThatThrownBy(() -> Devices.requireGpu(1, 1, forCuda))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("index 1, found 1 CUDA device, by libtorch 2.7.1 for CUDA");
    Devices.requireGpu(1, 2, forCuda);
  }

  @Test
  void tf32IsForGpusAndOnlyIfTheVariableIsOne() {
    assertThat(Devices.usesTf32("gpu:1", "1")).isTrue();
    assertThat(Devices.usesTf32("gpu:1", "0")).isFalse();
    assertThat(Devices.usesTf32("gpu:1", null)).isFalse();
    assertThat(Devices.usesTf32("cpu", "1")).isFalse();
  }

  @Test
  void aStreamOfDjlsOwnIsRejected() {
    String option = "ai.djl.pytorch.enable_cuda_stream";
    System.setProperty(option, "true");
    try {
      assertThatThrownBy(() -> Devices.of("cpu"))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(option)
          .hasMessageContaining("LENGTHWISE_OPTS");
    } finally {
      System.clearProperty(option);
    }
  }

  @Test
  void otherNamesAreRejected() {
    assertThatThrownBy(() -> Devices.listOf("cpu:0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gpu:all");
  }
}
