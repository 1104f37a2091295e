package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a scheme answers to the rest of the project agrees with its reference. */
class SchemeQuestionsTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int HEADS = 4;
  private static final int WIDTH = 16;
  private static final int LENGTH = 40;

  static Stream<PositionalScheme> schemes() {
    return Schemes.all().stream();
  }

  private static PositionalValues values(PositionalScheme scheme, int block) {
    Map<String, double[]> numbers = new LinkedHashMap<>();
    for (PositionalParameter parameter : scheme.parameters(HEADS, WIDTH)) {
      double low = Math.max(0, parameter.bounds().low()) + 0.1;
      numbers.put(
          parameter.name(), new Random(SEED).doubles(parameter.size(), low, low + 1).toArray());
    }
    return new PositionalValues(HEADS, WIDTH / HEADS, block, LENGTH, numbers);
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void aBiasIsMinusItsSlopeTimesTheDistance(PositionalScheme scheme) {
    Optional<double[]> slopes = scheme.linearSlopes(HEADS);
    assertThat(slopes.isPresent()).isEqualTo(scheme instanceof Alibi);
    for (int head = 0; head < HEADS && slopes.isPresent(); head++) {
      for (int distance = 0; distance < LENGTH; distance++) {
        assertThat(scheme.bias(values(scheme, 0), head, 0, LENGTH - 1, distance))
            .isEqualTo(-slopes.get()[head] * distance);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void allBlocksShareTheNumbersOfABiasByDistance(PositionalScheme scheme) {
    if (scheme instanceof DistanceBias) {
      assertThat(scheme.parameters(HEADS, WIDTH))
          .allMatch(parameter -> parameter.scope() == PositionalParameter.Scope.MODEL);
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void keysLieDilationsApart(PositionalScheme scheme) {
    assertThat(scheme.reach().hasDilation()).isEqualTo(scheme instanceof RegularGpt);
    for (int level = 0;
        level < scheme.reach().levels(LENGTH) && scheme.reach().hasDilation();
        level++) {
      for (int distance = 0; distance < LENGTH; distance++) {
        if (scheme.bias(values(scheme, 0), 0, level, LENGTH - 1, distance) > -1e30) {
          assertThat(distance % scheme.reach().dilation(level)).isZero();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void onlyASchemeThatChangesNothingSaysSo(PositionalScheme scheme) {
    assertThat(scheme.changesModel()).isEqualTo(!(scheme instanceof NoPosition));
    if (!scheme.changesModel()) {
      double[] vector = {1, 2, 3, 4};
      assertThat(scheme.parameters(HEADS, WIDTH)).isEmpty();
      assertThat(scheme.embed(vector, values(scheme, 0), 7)).isEqualTo(vector);
      assertThat(scheme.rotate(vector, 7, LENGTH)).isEqualTo(vector);
      assertThat(scheme.bias(values(scheme, 0), 0, 0, 20, 7)).isZero();
      assertThat(scheme.reach().levels(LENGTH)).isEqualTo(1);
    }
  }

  /** A block that is not checked has the biases of the last one that is. */
  @ParameterizedTest
  @MethodSource("schemes")
  void theBlocksThatAreCheckedShowTheBiasesOfAll(PositionalScheme scheme) {
    int layers = 3;
    int blocks = scheme.numBlocksToCheck(layers);
    boolean hasFormula =
        scheme instanceof Formula
            || (scheme instanceof CompoundScheme outer
                && outer.parts().stream().anyMatch(Formula.class::isInstance));
    assertThat(blocks > 0).isEqualTo(hasFormula);
    for (int k = Math.max(1, blocks); k < layers && blocks > 0; k++) {
      for (int distance = 0; distance < LENGTH; distance++) {
        assertThat(scheme.bias(values(scheme, k), 1, 0, LENGTH - 1, distance))
            .isEqualTo(scheme.bias(values(scheme, blocks - 1), 1, 0, LENGTH - 1, distance));
      }
    }
  }
}
