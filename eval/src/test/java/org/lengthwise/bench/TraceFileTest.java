package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
  @TempDir private Path folder;

  private TraceFile trace(String text) throws IOException {
    return new TraceFile(Files.writeString(folder.resolve("trace.json"), text));
  }

  /** An event in the engine's format. The engine writes a called operator before its caller. */
  private static String operator(String name, double start, double duration) {
    return event("\"CPU Functions\"", "cpu_op", name, start, duration);
  }

  private static String kernel(String name, double start, double duration) {
    return event("0", "kernel", name, start, duration);
  }

  private static String event(
      String process, String category, String name, double start, double duration) {
    return String.format(
        Locale.ROOT,
        "{\"name\": \"%s\", \"ph\": \"X\", \"cat\": \"%s\", \"ts\": %f, \"dur\": %f, \"tid\": 1,"
            + " \"pid\": %s, \"shape\": [[2, 3]], \"args\": {}}",
        name,
        category,
        start,
        duration,
        process);
  }

  private static String events(String... events) {
    return "[\n" + String.join(",\n", events) + "]\n";
  }

  @Test
  void countsTimeInsideAProductOnce() throws IOException {
    TraceFile.Profile profile =
        trace(
                events(
                    operator("aten::t", 11, 2),
                    operator("aten::addmm", 15, 20),
                    operator("aten::linear", 10, 30),
                    operator("aten::bmm", 52, 8),
                    operator("aten::_softmax_backward_data", 60, 10),
                    operator("aten::softmax", 60, 12),
                    operator("aten::gelu", 80, 30)))
            .profile(true);
    assertThat(profile.attention()).isEqualTo(Map.of("aten::_softmax_backward_data", 1));
    assertThat(Objects.requireNonNull(profile.outsideProducts()))
        .isCloseTo(1 - 38 / 100.0, within(1e-12));
  }

  @Test
  void distinguishesFusedFromPlainAttention() throws IOException {
    TraceFile.Profile profile =
        trace(
                events(
                    operator("aten::_efficient_attention_forward", 1, 5),
                    operator("aten::_scaled_dot_product_efficient_attention", 0, 10),
                    operator("aten::_scaled_dot_product_flash_attention", 10, 10),
                    operator("aten::bmm", 21, 2),
                    operator("aten::_softmax_backward_data", 24, 2),
                    operator("aten::_scaled_dot_product_attention_math", 20, 20)))
            .profile(true);
    assertThat(profile.attention())
        .isEqualTo(
            Map.of(
                "aten::_scaled_dot_product_efficient_attention", 1,
                "aten::_scaled_dot_product_flash_attention", 1,
                "aten::_scaled_dot_product_attention_math", 1,
                "aten::_softmax_backward_data", 1));
    assertThat(Objects.requireNonNull(profile.outsideProducts()))
        .isCloseTo(1 - 22 / 40.0, within(1e-12));
  }

  @Test
  void kernelsOfAGpuHaveTheirOwnNamesAndTimes() throws IOException {
    String kernels =
        events(
            operator("aten::_scaled_dot_product_flash_attention", 0, 1),
            kernel("void pytorch_flash::flash_fwd_kernel<Traits<64, 128>>(Params)", 100, 10),
            kernel("void pytorch_flash::flash_bwd_dq_dk_dv_loop_kernel<Traits>(P)", 110, 20),
            kernel("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(Kernel::Params)", 130, 10),
            kernel("nvjet_tst_128x128_64x5_2x1_v_bz_TNT", 140, 25),
            kernel("sm90_xmma_gemm_bf16bf16_bf16f32", 165, 15),
            kernel("void at::native::vectorized_elementwise_kernel<4>(int)", 180, 20));
    TraceFile.Profile profile =
        trace("{\"schemaVersion\": 1, \"traceEvents\": " + kernels + "}").profile(false);
    assertThat(profile.attention())
        .isEqualTo(
            Map.of(
                "aten::_scaled_dot_product_flash_attention", 1,
                "flash_fwd_kernel", 1,
                "flash_bwd_dq_dk_dv_loop_kernel", 1,
                "fmha_cutlassF_bf16_aligned_64x64_rf_sm80", 1));
    assertThat(Objects.requireNonNull(profile.outsideProducts())).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void callsThatEndBeforeTheirWorkHaveNoTimes() throws IOException {
    String calls =
        events(operator("aten::mm", 0, 10), operator("aten::_softmax_backward_data", 10, 10));
    assertThat(trace(calls).profile(false))
        .isEqualTo(new TraceFile.Profile(2, 0, 0, Map.of("aten::_softmax_backward_data", 1), null));
    assertThat(trace("[\n]\n").profile(true))
        .isEqualTo(new TraceFile.Profile(0, 0, 0, Map.of(), null));
  }

  @Test
  void countsOperatorsThatComputeOrCopy() throws IOException {
    TraceFile.Profile profile =
        trace(
                events(
                    operator("aten::as_strided", 11, 2),
                    operator("aten::t", 10, 4),
                    operator("aten::copy_", 21, 4), // inside a product: depends on the processor
                    operator("aten::addmm", 20, 10),
                    operator("aten::linear", 9, 22),
                    operator("aten::empty_strided", 42, 2),
                    operator("aten::copy_", 45, 10),
                    operator("aten::_to_copy", 41, 18),
                    operator("aten::to", 40, 20),
                    operator("AddBackward0", 70, 5),
                    operator("aten::mul_", 81, 2),
                    operator("aten::mul_", 84, 2),
                    operator("aten::_foreach_mul_", 80, 10),
                    operator("aten::_local_scalar_dense", 91, 2),
                    operator("aten::item", 90, 4)))
            .profile(true);
    // addmm, copy_ of _to_copy, _foreach_mul_
    assertThat(profile.operators()).isEqualTo(3);
    assertThat(profile.copies()).isEqualTo(1);
    assertThat(profile.reads()).isEqualTo(1);
  }
}
