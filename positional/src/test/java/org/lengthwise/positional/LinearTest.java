package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Linear.Member;
import org.lengthwise.positional.PositionalParameter.Initial;

/** The recurrence in plain doubles against numbers of an independent program in NumPy. */
class LinearTest {
  private static final double[] ONES = {1, 1};

  @Test
  void withoutAGateItAddsEveryValue() {
    assertThat(last(t -> ONES, false, t -> 1))
        .containsExactly(numbers(0.128535, 1.703055, 1.988737), within(2e-6));
  }

  @Test
  void aScalarGateForgets() {
    assertThat(last(LinearTest::scalar, false, t -> 1))
        .containsExactly(numbers(-0.227700, 0.259397, 0.550188), within(2e-6));
  }

  @Test
  void aVectorOfGatesForgetsEachNumberOfAKey() {
    assertThat(last(LinearTest::vector, false, t -> 1))
        .containsExactly(numbers(-0.230653, 0.230053, 0.516659), within(2e-6));
  }

  @Test
  void theDeltaRuleOverwritesTheValueOfAKey() {
    assertThat(last(t -> ONES, true, LinearTest::beta))
        .containsExactly(numbers(-0.247342, 0.820455, 1.267348), within(2e-6));
    assertThat(last(t -> ONES, true, t -> 2 * beta(t)))
        .containsExactly(numbers(-0.377825, 1.178462, 1.842913), within(2e-6));
    assertThat(last(LinearTest::scalar, true, LinearTest::beta))
        .containsExactly(numbers(-0.273372, 0.157269, 0.468892), within(2e-6));
  }

  @Test
  void theComplexStateTurnsAndShrinks() {
    double[][] x_Td = wave(5, 2, 0.9);
    Map<String, double[]> values = new HashMap<>();
    values.put("nu", new double[] {-0.5, -1});
    values.put("theta", new double[] {-1, 0.3});
    values.put("skip", new double[] {0.1, -0.2});
    double[][] real = wave(2, 2, 0.8);
    double[][] imaginary = wave(2, 2, 1.1);
    values.put(
        "c_h.weight",
        new double[] {
          real[0][0], real[0][1], imaginary[0][0], imaginary[0][1],
          real[1][0], real[1][1], imaginary[1][0], imaginary[1][1]
        });
    double[][] rows_TE = new double[5][8];
    for (int t = 0; t < 5; t++) {
      for (int n = 0; n < 2; n++) {
        rows_TE[t][n] = 40; // silu is 40 there
        for (int i = 0; i < 2; i++) {
          rows_TE[t][2 + n] += wave(2, 2, 0.4)[n][i] * x_Td[t][i];
          rows_TE[t][4 + n] += wave(2, 2, 0.6)[n][i] * x_Td[t][i];
        }
        rows_TE[t][6 + n] = x_Td[t][n];
      }
    }
    double[][] out_Td =
        new ReferenceRecurrence(new Linear(Member.LRU, false), new PositionalValues(1, 2, values))
            .run(rows_TE);
    assertThat(out_Td[4][0] / 40).isCloseTo(0.507601, within(2e-6));
    assertThat(out_Td[4][1] / 40).isCloseTo(1.778604, within(2e-6));
  }

  @Test
  void oneLayerOfNegativeEigenvaluesCountsModuloTwo() {
    double[][] state = {{1}};
    int ones = 0;
    for (int bit : new int[] {1, 0, 1, 1, 0, 1, 1}) {
      ones += bit;
      double[] out =
          ReferenceRecurrence.advance(
              state, new double[] {1}, true, 2.0 * bit, numbers(1), numbers(1), numbers(0));
      assertThat(out).containsExactly(ones % 2 == 0 ? 1 : -1);
    }
  }

  @Test
  void initialValuesAreThoseOfThePapers() {
    assertThat(Initial.By.STEP.applyAsDouble(Math.log(0.05)))
        .isCloseTo(Math.log(Math.expm1(0.05)), within(1e-12));
    double nu = Initial.By.LOG_RATE.applyAsDouble(0.9);
    assertThat(Math.exp(-2 * Math.exp(nu))).isCloseTo(0.9, within(1e-12));
  }

  @Test
  void onlyADeltaRuleHasNegativeEigenvalues() {
    assertThatThrownBy(() -> new Linear(Member.GLA, true))
        .hasMessageContaining("only deltanet and gated-deltanet");
  }

  @Test
  void aRecurrenceHasNoWeightsOfKeys() {
    assertThatThrownBy(() -> new Linear(Member.GLA, false).weights(new double[] {1, 2}))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aRecurrenceHasNoRotationsToScale() {
    PositionScaling yarn = PositionScaling.of("yarn");
    for (Member member : Member.values()) {
      assertThat(new Linear(member, false).scaled(yarn, 8)).isEmpty();
    }
  }

  @Test
  void labelsAreDistinct() {
    assertThat(Arrays.stream(Member.values()).map(member -> new Linear(member, false).label()))
        .containsExactly("linear", "gla", "mamba2", "deltanet", "gated-deltanet", "lru");
    assertThat(new Linear(Member.DELTANET, true).label()).isEqualTo("deltanet-negative");
  }

  @Test
  void aRowHasWhatTheKernelReads() {
    List<Integer> widths =
        Arrays.stream(Member.values()).map(it -> new Linear(it, false).rowWidth(3, 24)).toList();
    assertThat(widths).containsExactly(72, 112, 67, 75, 102, 96);
  }

  private interface Gates {
    double[] at(int t);
  }

  private interface Beta {
    double at(int t);
  }

  /** The last result, with unit keys and queries under the delta rule. */
  private static double[] last(Gates gates, boolean isDelta, Beta beta) {
    double[][] q = wave(5, 2, 0.7);
    double[][] k = wave(5, 2, 1.3);
    double[][] v = wave(5, 3, 0.9);
    double[][] state = new double[2][3];
    double[] out = {};
    for (int t = 0; t < 5; t++) {
      double[] query = isDelta ? ReferenceRecurrence.unit(q[t]) : q[t];
      double[] key = isDelta ? ReferenceRecurrence.unit(k[t]) : k[t];
      out = ReferenceRecurrence.advance(state, gates.at(t), isDelta, beta.at(t), query, key, v[t]);
    }
    return out;
  }

  private static double[] scalar(int t) {
    double gate = sigmoid(wave(5, 1, 2.1)[t][0]);
    return numbers(gate, gate);
  }

  private static double[] vector(int t) {
    return Arrays.stream(wave(5, 2, 1.7)[t]).map(LinearTest::sigmoid).toArray();
  }

  private static double beta(int t) {
    return sigmoid(Math.sin(0.5 * (t + 1)));
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  private static double[] numbers(double... numbers) {
    return numbers;
  }

  private static double[][] wave(int n, int m, double f) {
    double[][] wave = new double[n][m];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < m; j++) {
        wave[i][j] = Math.sin(f * (i * m + j + 1));
      }
    }
    return wave;
  }
}
