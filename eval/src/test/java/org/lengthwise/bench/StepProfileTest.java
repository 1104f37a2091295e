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

class StepProfileTest {
  @TempDir private Path folder;

  private StepProfile profile(boolean isTimed, String... events) throws IOException {
    String text = "[\n" + String.join(",\n", events) + "]\n";
    return StepProfile.of(Files.writeString(folder.resolve("trace.json"), text), isTimed);
  }

  /** An event in the engine's format. The engine writes a called operator before its caller. */
  private static String operator(String name, double start, double duration) {
    return String.format(
        Locale.ROOT,
        "{\"name\": \"%s\", \"ph\": \"X\", \"cat\": \"cpu_op\", \"ts\": %f, \"dur\": %f,"
            + " \"tid\": 1, \"pid\": \"CPU Functions\", \"shape\": [[2, 3]], \"args\": {}}",
        name,
        start,
        duration);
  }

  @Test
  void countsTimeInsideAProductOnce() throws IOException {
    StepProfile profile =
        profile(
            true,
            operator("aten::t", 11, 2),
            operator("aten::addmm", 15, 20),
            operator("aten::linear", 10, 30),
            operator("aten::bmm", 52, 8),
            operator("aten::_softmax_backward_data", 60, 10),
            operator("aten::softmax", 60, 12),
            operator("aten::gelu", 80, 30));
    assertThat(profile.attention()).isEqualTo(Map.of("aten::_softmax_backward_data", 1));
    assertThat(Objects.requireNonNull(profile.outsideProducts()))
        .isCloseTo(1 - 38 / 100.0, within(1e-12));
  }

  @Test
  void distinguishesFusedFromPlainAttention() throws IOException {
    StepProfile profile =
        profile(
            true,
            operator("aten::_efficient_attention_forward", 1, 5),
            operator("aten::_scaled_dot_product_efficient_attention", 0, 10),
            operator("aten::_scaled_dot_product_flash_attention", 10, 10),
            operator("aten::bmm", 21, 2),
            operator("aten::_softmax_backward_data", 24, 2),
            operator("aten::_scaled_dot_product_attention_math", 20, 20));
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
  void callsThatEndBeforeTheirWorkHaveNoTimes() throws IOException {
    String product = operator("aten::mm", 0, 10);
    String softmax = operator("aten::_softmax_backward_data", 10, 10);
    assertThat(profile(false, product, softmax))
        .isEqualTo(new StepProfile(2, 0, 0, Map.of("aten::_softmax_backward_data", 1), null));
    assertThat(profile(true)).isEqualTo(new StepProfile(0, 0, 0, Map.of(), null));
  }

  @Test
  void countsOperatorsThatComputeOrCopy() throws IOException {
    StepProfile profile =
        profile(
            true,
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
            operator("aten::item", 90, 4));
    // addmm, copy_ of _to_copy, _foreach_mul_
    assertThat(profile.operators()).isEqualTo(3);
    assertThat(profile.copies()).isEqualTo(1);
    assertThat(profile.reads()).isEqualTo(1);
  }
}
