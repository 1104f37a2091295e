package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;

/** The choice of an attention kernel, from timings that are made up. */
class KernelChoiceTest {
  /** A trial that is made up. A kernel without a time fails. */
  private record Made(double flash, double cudnn, double difference) implements KernelChoice.Trial {
    @Override
    public double milliseconds(boolean isCudnn) {
      double time = isCudnn ? cudnn : flash;
      if (Double.isNaN(time)) {
        throw new IllegalStateException("no plan for this shape\nat a place");
      }
      return time;
    }
  }

  private static final Made FAILING = new Made(1, Double.NaN, 0);

  private static final Made NEVER_RUN = new Made(Double.NaN, Double.NaN, 0);

  private static KernelChoice.Trial takes(double flash, double cudnn) {
    return new Made(flash, cudnn, 0.01);
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
    for (double difference : new double[] {0.03, Double.NaN}) {
      KernelChoice choice = KernelChoice.of(AttentionKernel.AUTO, true, new Made(2, 1, difference));
      assertThat(choice.cudnn()).isFalse();
      assertThat(choice.reason().orElseThrow())
          .contains("2.000 ms with flash attention", "gradients differ", "of " + difference);
    }
  }

  @Test
  void aRunGoesOnWithFlashAttentionIfCudnnFails() {
    KernelChoice choice = KernelChoice.of(AttentionKernel.AUTO, true, FAILING);
    assertThat(choice.cudnn()).isFalse();
    assertThat(choice.reason())
        .contains(
            "training uses flash attention: cuDNN's attention failed: no plan for this shape");
  }

  @Test
  void aSettingForcesAKernel() {
    assertThat(KernelChoice.of(AttentionKernel.CUDNN, true, takes(1, 2)).cudnn()).isTrue();
    assertThatThrownBy(() -> KernelChoice.of(AttentionKernel.CUDNN, true, FAILING))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.attention")
        .hasMessageContaining("no plan for this shape");
    assertThatThrownBy(() -> KernelChoice.of(AttentionKernel.CUDNN, false, NEVER_RUN))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected auto or flash")
        .hasMessageContaining("found cudnn");
  }

  @Test
  void nothingIsTimedWhereCudnnCannotServe() {
    assertThat(KernelChoice.of(AttentionKernel.AUTO, false, NEVER_RUN).reason()).isEmpty();
  }
}
