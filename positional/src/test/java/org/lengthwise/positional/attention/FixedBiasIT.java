package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sandwich;

/** A bias without learnable numbers is made once for a length, and this changes no result. */
class FixedBiasIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  /** More than one block of queries. */
  private static final int LENGTH = 300;

  static Stream<DistanceBias> fixed() {
    return Stream.of(new Alibi(), new Sandwich(8));
  }

  static Stream<PositionalScheme> all() {
    return Stream.concat(
        fixed(),
        Stream.of(
            Formulas.of("-delta / (8 * h)", Map.of()),
            Formulas.of("-delta * (1 + layer) / 8", Map.of()),
            new KerpleLog()));
  }

  private static NDArray shared(DistanceBias scheme, AttentionKernels kernels, int length) {
    Attention.Pass pass =
        new Attention.Pass(AttentionCase.HEADS, AttentionCase.HEAD_WIDTH, length, true);
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      BiasedAttention attention =
          BiasedAttention.of(
              scheme,
              new SchemeAttention.Factory(
                  kernels,
                  (name, block) -> {
                    throw new AssertionError("no parameter " + name);
                  },
                  pass,
                  manager));
      return attention.shared();
    }
  }

  @ParameterizedTest
  @MethodSource("fixed")
  void passesOfALengthShareIt(DistanceBias scheme) {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32)) {
      NDArray first = shared(scheme, kernels, LENGTH);
      assertThat(shared(scheme, kernels, LENGTH)).isSameAs(first);
      assertThat(shared(scheme, kernels.withGradient(), LENGTH)).isSameAs(first);
      assertThat(shared(scheme, kernels, LENGTH + 1)).isNotSameAs(first);
      assertThat(shared(scheme, kernels, LENGTH)).isNotSameAs(first);
    }
  }

  /** Kernels that ran other passes before give the bits of new kernels. */
  @ParameterizedTest
  @MethodSource("all")
  void earlierPassesChangeNoBit(PositionalScheme scheme) {
    for (Precision precision : Precision.values()) {
      try (AttentionKernels used = new AttentionKernels(TestDevice.current(), precision)) {
        for (int length : new int[] {LENGTH, LENGTH, 17, LENGTH}) {
          AttentionCase example = AttentionCase.random(scheme, length, true, new Random(SEED));
          float[] last = SchemeContractIT.attendNext(example, used, 0);
          float[] all = SchemeContractIT.attend(example, used, 0);
          try (AttentionKernels fresh = new AttentionKernels(TestDevice.current(), precision)) {
            assertThat(all).isEqualTo(SchemeContractIT.attend(example, fresh, 0));
            assertThat(last).isEqualTo(SchemeContractIT.attendNext(example, fresh, 0));
          }
        }
      }
    }
  }
}
