package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;

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
  void aConfiguredPeakIsUsedBeforeTheDriversFiles() throws IOException {
    Path gpu = Files.createDirectories(driver.resolve("0000:01:00.0"));
    Files.writeString(gpu.resolve("information"), "Model: NVIDIA H200\n");
    assertThat(peak("gpu:0", "bfloat16", 0)).hasValue(989e12);
    assertThat(peak("gpu:0", "bfloat16", 2e15)).hasValue(2e15);
    assertThat(peak("gpu:0", "float32", 0)).isEmpty();
    assertThat(peak("cpu", "bfloat16", 0)).isEmpty();
    assertThat(peak("cpu", "float32", 1e11)).hasValue(1e11);
  }

  private OptionalDouble peak(String device, String precision, double configured) {
    LoopConfig loop =
        ConfigLoader.load(
                Path.of("../conf/train/alibi.yaml"),
                List.of(
                    "training.device=" + device,
                    "training.precision=" + precision,
                    "training.peak_flops=" + configured))
            .bind(TrainingConfig.class)
            .training();
    return PeakThroughput.flopsPerSecond(loop, driver);
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
