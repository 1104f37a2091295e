package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.attention.KernelChoice.Timing;

/** The choice of an attention kernel, from timings that are made up. */
class KernelChoiceTest {
  private static KernelChoice.Trial takes(double flash, double cudnn) {
    return isCudnn -> new Timing(isCudnn ? cudnn : flash, 100);
  }

  private static Timing failing(boolean isCudnn) {
    if (isCudnn) {
      throw new IllegalStateException("no plan for this shape\nat a place");
    }
    return new Timing(1, 100);
  }

  private static Timing neverRun(boolean isCudnn) {
    throw new AssertionError("a kernel ran");
  }

  @ParameterizedTest
  @CsvSource({"2, 1.5, true", "1.5, 2, false"})
  void theFasterKernelIsChosenAndBothTimesAreSaid(double flash, double cudnn, boolean expected) {
    KernelChoice choice = KernelChoice.of(AttentionKernel.AUTO, true, takes(flash, cudnn));
    assertThat(choice.cudnn()).isEqualTo(expected);
    assertThat(choice.reason().orElseThrow())
        .startsWith("training uses " + (expected ? "cuDNN's" : "flash"))
        .contains(flash + "00 ms with flash", cudnn + "00 ms with cuDNN's");
  }

  @Test
  void aKernelWithOtherGradientsIsNotChosen() {
    for (double norm : new double[] {103, Double.NaN}) {
      KernelChoice choice =
          KernelChoice.of(
              AttentionKernel.AUTO,
              true,
              isCudnn -> isCudnn ? new Timing(1, norm) : new Timing(2, 100));
      assertThat(choice.cudnn()).isFalse();
      assertThat(choice.reason().orElseThrow()).contains("gradients differ", "100.0 and " + norm);
    }
  }

  @Test
  void aRunGoesOnWithFlashAttentionIfCudnnFails() {
    KernelChoice choice = KernelChoice.of(AttentionKernel.AUTO, true, KernelChoiceTest::failing);
    assertThat(choice.cudnn()).isFalse();
    assertThat(choice.reason())
        .contains(
            "training uses flash attention: cuDNN's attention failed: no plan for this shape");
  }

  @Test
  void aSettingForcesAKernel() {
    assertThat(KernelChoice.of(AttentionKernel.CUDNN, true, takes(1, 2)).cudnn()).isTrue();
    assertThatThrownBy(
            () -> KernelChoice.of(AttentionKernel.CUDNN, true, KernelChoiceTest::failing))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.attention")
        .hasMessageContaining("no plan for this shape");
    assertThatThrownBy(
            () -> KernelChoice.of(AttentionKernel.CUDNN, false, KernelChoiceTest::neverRun))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected auto or flash")
        .hasMessageContaining("found cudnn");
  }

  @Test
  void nothingIsTimedWhereCudnnCannotServe() {
    assertThat(KernelChoice.of(AttentionKernel.AUTO, false, KernelChoiceTest::neverRun).reason())
        .isEmpty();
  }
}
