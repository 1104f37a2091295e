package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.FormulaParameter.Per;

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
  void theSchemeNoneChangesNothing(PositionalScheme scheme) {
    if (scheme.label().equals("none")) {
      double[] vector = {1, 2, 3, 4};
      assertThat(scheme.parameters(HEADS, WIDTH)).isEmpty();
      assertThat(scheme.positionTable().embed(vector, values(scheme, 0), 7)).isEqualTo(vector);
      assertThat(scheme.rotate(vector, 7, LENGTH)).isEqualTo(vector);
      assertThat(scheme.bias(values(scheme, 0), 0, 0, 20, 7)).isZero();
      assertThat(scheme.reach().levels(LENGTH)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void onlyAFormulaNeedsACheckOfItsBiases(PositionalScheme scheme) {
    boolean hasFormula =
        scheme instanceof Formula
            || (scheme instanceof CompoundScheme outer
                && outer.parts().stream().anyMatch(Formula.class::isInstance));
    assertThat(scheme.hasFormula()).isEqualTo(hasFormula);
  }

  /** A formula that does not depend on the layer is checked in the first block only. */
  @Test
  void theBlocksThatAreCheckedShowTheBiasesOfAll() {
    int layers = 3;
    Formula perHead = Formulas.of("-p * delta", Map.of("p", Formulas.number(Per.HEAD)));
    List<Formula> formulas = List.of(perHead, Formulas.of("-delta / T_tr", Map.of()));
    for (Formula scheme : formulas) {
      assertThat(scheme.dependsOnLayer()).isFalse();
      for (int k = 1; k < layers; k++) {
        for (int distance = 0; distance < LENGTH; distance++) {
          assertThat(scheme.bias(values(scheme, k), 1, 0, LENGTH - 1, distance))
              .isEqualTo(scheme.bias(values(scheme, 0), 1, 0, LENGTH - 1, distance));
        }
      }
    }
  }

  /** The second and the fourth block have the formula, which is not finite in the fourth. */
  @Test
  void everyBlockOfAListIsCheckedByItsOwnFormula() {
    Formula formula = Formulas.of("p * delta + layer", Map.of("p", Formulas.number(Per.LAYER)));
    Layers list = new Layers(List.of(new NoPosition(), formula));
    Map<String, double[]> one = Map.of("p", new double[] {1});
    Map<String, double[]> wrong = Map.of("p", new double[] {Double.NaN});
    list.requireFinite(List.of(block(0, wrong), block(1, one), block(2, wrong), block(3, one)), 9);
    assertThatThrownBy(() -> list.requireFinite(List.of(block(1, one), block(3, wrong)), 9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static PositionalValues block(int k, Map<String, double[]> numbers) {
    return new PositionalValues(HEADS, WIDTH / HEADS, k, LENGTH, numbers);
  }
}
