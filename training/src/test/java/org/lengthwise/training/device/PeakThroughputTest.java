package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeakThroughputTest {
  @TempDir private Path driver;

  @Test
  void modelsAreReadFromTheDriversFiles() throws IOException {
    Path gpu = Files.createDirectories(driver.resolve("0000:01:00.0"));
    Files.writeString(gpu.resolve("information"), "Model: \t\t NVIDIA H200\nIRQ:   16\n");
    assertThat(PeakThroughput.models(driver)).containsExactly("NVIDIA H200");
    assertThat(PeakThroughput.models(driver.resolve("absent"))).isEmpty();
  }

  @Test
  void onlyKnownModelsHaveAPeak() {
    assertThat(PeakThroughput.ofModels(List.of("NVIDIA H200", "NVIDIA H200"))).hasValue(989e12);
    assertThat(PeakThroughput.ofModels(List.of("NVIDIA A100-SXM4-80GB"))).hasValue(312e12);
    assertThat(PeakThroughput.ofModels(List.of("NVIDIA H100 PCIe"))).isEmpty();
    assertThat(PeakThroughput.ofModels(List.of("NVIDIA H200", "NVIDIA A100-SXM4-80GB"))).isEmpty();
    assertThat(PeakThroughput.ofModels(List.of())).isEmpty();
  }
}
