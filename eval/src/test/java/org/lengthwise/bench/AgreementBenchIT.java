package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.safetensors.SafetensorsFile;

/** A GPU also has rows of cuDNN's attention. */
class AgreementBenchIT {
  private static final Path CONF = Path.of("../conf");

  /** A CPU has no cuDNN, so the error shows that the operator was called. */
  @Test
  void cudnnsAttentionHasRowsOfItsOwn() throws Exception {
    AgreementBench bench =
        ConfigLoader.load(CONF.resolve("bench.yaml"), List.of())
            .bind(BenchConfig.class)
            .agreement();
    Path numbers = CONF.resolve("agreement.safetensors");
    BenchSetting setting =
        new BenchSetting(
            Device.cpu(),
            Precision.FLOAT32,
            new RoundRobinTimer(ProcessMemory.own(), 1),
            null,
            numbers,
            List.of(),
            row -> {});
    try (SafetensorsFile expected = SafetensorsFile.open(numbers)) {
      for (String name : List.of("none", "rope", "alibi")) {
        assertThat(
                bench.attention("by cuDNN", name, List.of(AgreementBench.CUDNN), expected, setting))
            .singleElement()
            .satisfies(
                row ->
                    assertThat(row.failure()) // a CPU does not align a bias, as this kernel 3 needs
                        .containsAnyOf("_scaled_dot_product_cudnn_attention", "kernel 3 for"));
      }
      List<Numerics> other = List.of(Numerics.of(Precision.BFLOAT16));
      assertThat(bench.attention("by cuDNN", "alibi", other, expected, setting))
          .singleElement()
          .satisfies(row -> assertThat(row.comparisons()).hasSize(2));
      assertThat(bench.suitsCudnn("alibi", Device.cpu())).isFalse();
    }
  }
}
