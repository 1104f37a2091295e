package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.PositionalParameter.Initial;

/** The plain-double references of schemes by rows. */
class RowSchemeTest {
  private static final double[] SLOPES = {1 / 16.0, 1 / 256.0};

  static List<RowVectors.Vector> vectors() {
    return RowVectors.all();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void referencesEqualTheResultsOfAnotherProgram(RowVectors.Vector vector) {
    PositionalValues values =
        new PositionalValues(RowVectors.HEADS, RowVectors.HEAD_WIDTH, vector.tensors());
    double[][][] out_HTD =
        attend(
            new ReferenceAttention(vector.scheme(), values, true, vector.sample()),
            RowVectors.carried(vector.scheme()));
    double[] found =
        DoubleStream.concat(Arrays.stream(out_HTD[0][5]), Arrays.stream(out_HTD[1][3])).toArray();
    assertThat(found).containsExactly(vector.expected(), within(1e-9));
  }

  private static double[][][] attend(
      PositionalScheme scheme, Map<String, double[]> tensors, double[][] carried_TE) {
    PositionalValues values =
        new PositionalValues(RowVectors.HEADS, RowVectors.HEAD_WIDTH, tensors);
    return attend(ReferenceAttention.of(scheme, values, true, RowVectors.LENGTH), carried_TE);
  }

  private static double[][][] attend(ReferenceAttention attention, double[][] carried_TE) {
    return attention.attend(
        RowVectors.queries(), RowVectors.keys(), RowVectors.values(), carried_TE, 0);
  }

  private static void requireEqual(double[][][] found_HTD, double[][][] expected_HTD) {
    for (int h = 0; h < RowVectors.HEADS; h++) {
      for (int t = 0; t < RowVectors.LENGTH; t++) {
        assertThat(found_HTD[h][t]).containsExactly(expected_HTD[h][t], within(1e-12));
      }
    }
  }

  private static double[][][] plainly(PositionalScheme scheme) {
    return attend(scheme, Map.of(), new double[RowVectors.LENGTH][0]);
  }

  @Test
  void gatesOfTheSlopesAreAlibiAndOpenGatesAreNoPosition() {
    ForgetGate scheme = new ForgetGate(ForgetGate.First.SLOPES, new NoPosition());
    Initial bias = scheme.parameters(RowVectors.HEADS, 8).get(1).initial();
    assertThat(bias).isInstanceOf(Initial.Numbers.class);
    double[] first =
        ((Initial.Numbers) bias).values().stream().mapToDouble(Double::doubleValue).toArray();
    assertThat(first).containsExactly(new double[] {2.741175967, 5.543223684}, within(1e-9));
    requireEqual(attend(scheme, Map.of(), repeated(first)), plainly(new Alibi()));
    requireEqual(attend(scheme, Map.of(), repeated(40, 40)), plainly(new NoPosition()));
    assertThat(Alibi.slopes(RowVectors.HEADS)).isEqualTo(SLOPES);
  }

  private static double[][] repeated(double... logits) {
    double[][] carried_TE = new double[RowVectors.LENGTH][];
    Arrays.fill(carried_TE, logits);
    return carried_TE;
  }

  @Test
  void onePositionOfCopeAndAnEmptyTableAreNoPosition() {
    requireEqual(
        attend(
            new Cope(1, Cope.Scale.ONE),
            Map.of("cope", new double[] {1, -2, 3, -4}),
            new double[RowVectors.LENGTH][0]),
        plainly(new NoPosition()));
    requireEqual(
        attend(
            new Cope(5, Cope.Scale.ONE),
            Map.of("cope", new double[20]),
            new double[RowVectors.LENGTH][0]),
        plainly(new NoPosition()));
  }

  @Test
  void sharesAndRemainderSumToOneAtAnyScore() {
    double[] scores_N = {3, -60, 0.5, 60, -2, 60, 7, -60, 1};
    double[] weights_N = new StickBreaking(StickBreaking.Remainder.SELF).weights(scores_N);
    assertThat(Arrays.stream(weights_N).sum()).isCloseTo(1, within(1e-12));
    assertThat(new StickBreaking(StickBreaking.Remainder.NONE).weights(new double[] {5}))
        .containsExactly(0);
  }

  @Test
  void anInnerSchemeThatMakesNoSenseIsRejectedWithTheReason() {
    assertThatThrownBy(() -> new ForgetGate(ForgetGate.First.ZERO, new Alibi()))
        .hasMessageContaining("of: expected none, or rope without a window")
        .hasMessageContaining("found alibi");
    Rope windowed = new Rope(100, 1, RopeScaling.none(), new LayerWindow(4, 0));
    assertThatThrownBy(() -> new ForgetGate(ForgetGate.First.ZERO, windowed))
        .hasMessageContaining("without a window");
    assertThatThrownBy(() -> new Dape(32, new Rope(100)))
        .hasMessageContaining("of: expected a bias by distance")
        .hasMessageContaining("found rope");
    assertThatThrownBy(() -> new Dape(32, Formulas.of("0", "delta < 4", Map.of())))
        .hasMessageContaining("without a window");
    assertThatThrownBy(() -> new Dape(0, new Alibi())).hasMessageContaining("width");
    assertThatThrownBy(() -> new Cope(0, Cope.Scale.ONE)).hasMessageContaining("positions");
  }

  @Test
  void whatASchemeIsBuiltAroundDecidesScalingAndTrainingLength() {
    ForgetGate rotated = new ForgetGate(ForgetGate.First.ZERO, new Rope(100));
    PositionScaling yarn = new PositionScaling(PositionScaling.Kind.YARN);
    assertThat(rotated.scaled(yarn, 8)).isPresent();
    assertThat(rotated.scaled(yarn, 8).orElseThrow())
        .isEqualTo(
            new ForgetGate(ForgetGate.First.ZERO, new Rope(100).scaled(yarn, 8).orElseThrow()));
    assertThat(PositionChange.NONE.of(rotated, 8)).isSameAs(rotated);
    assertThat(new Cope(4, Cope.Scale.ONE).scaled(yarn, 8)).isEmpty();
    Formula formula = Formulas.of("-delta / T_tr", Map.of());
    assertThat(new Dape(2, formula).trainedAt(32, 2, 8, 1))
        .isEqualTo(new Dape(2, formula.trainedAt(32, 2, 8, 1)));
    assertThat(new Dape(2, formula).described()).contains(formula.described().get(0));
    assertThat(new Dape(2, new Alibi()).label()).isEqualTo("dape-alibi");
    assertThat(rotated.label()).isEqualTo("forget-rope");
  }
}
