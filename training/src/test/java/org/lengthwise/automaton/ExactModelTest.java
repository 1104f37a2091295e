package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The MLP of a computed model against Lemma 1 of the paper: it multiplies two matrices of 0 and 1.
 */
class ExactModelTest {
  private static final int N = 2;

  /** The residual stream after the MLP, for a window of the maps A and then B. */
  private static float[] product(ExactModel model, float[] a, float[] b) {
    int d = model.width();
    float[] row_d = new float[d];
    System.arraycopy(b, 0, row_d, 0, N * N);
    System.arraycopy(a, 0, row_d, N * N, N * N);
    float[] up = model.tensor("transformer.h.0.mlp.c_fc.weight");
    float[] offsets = model.tensor("transformer.h.0.mlp.c_fc.bias");
    float[] down = model.tensor("transformer.h.0.mlp.c_proj.weight");
    float[] result_d = row_d.clone();
    for (int unit = 0; unit < 4 * d; unit++) {
      float sum = offsets[unit];
      for (int i = 0; i < d; i++) {
        sum += up[unit * d + i] * row_d[i];
      }
      for (int i = 0; i < d; i++) {
        result_d[i] += down[i * 4 * d + unit] * Math.max(0, sum);
      }
    }
    return result_d;
  }

  /**
   * W1 [2 n^2, n^3] of the lemma: column (i, j, k) adds A_ik and B_kj. W2 [n^3, n^2] adds the
   * columns of (i, j).
   */
  private static float[][] lemma(int n) {
    float[][] w1 = new float[2 * n * n][n * n * n];
    for (int column = 0; column < n * n * n; column++) {
      int i = column / (n * n);
      int j = column / n % n;
      int k = column % n;
      w1[i * n + k][column] = 1;
      w1[n * n + k * n + j][column] = 1;
    }
    return w1;
  }

  @Test
  void theLemmaMultipliesTheMatricesOfItsVector() {
    float[][] w1 = lemma(N);
    float[] ab = {1, 0, 1, 0, 0, 1, 1, 0};
    float[] sums = new float[N * N * N];
    float[] product = new float[N * N];
    for (int column = 0; column < sums.length; column++) {
      for (int row = 0; row < ab.length; row++) {
        sums[column] += ab[row] * w1[row][column];
      }
      product[column / N] += Math.max(0, sums[column] - 1);
    }
    assertThat(sums).containsExactly(1, 1, 2, 0, 1, 1, 2, 0);
    assertThat(product).containsExactly(0, 1, 0, 1);
  }

  /** Four states at width 32: a unit for each path, and none to spare for saturation. */
  @Test
  void hiddenUnitsOfTheMlpAreTheColumnsOfTheLemma() {
    int n = 4;
    int d = 32;
    ExactModel model = new ExactModel(PaperTask.TOMITA_5.automaton(), 2, d, 2);
    float[][] w1 = lemma(n);
    float[] up = model.tensor("transformer.h.0.mlp.c_fc.weight");
    float[] offsets = model.tensor("transformer.h.0.mlp.c_fc.bias");
    float[] down = model.tensor("transformer.h.0.mlp.c_proj.weight");
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (int column = 0; column < n * n * n; column++) {
      StringBuilder ofLemma = new StringBuilder();
      StringBuilder ofModel = new StringBuilder();
      for (int row = 0; row < n * n; row++) {
        // B, the later map, is the first in a row of the model.
        ofLemma.append(w1[row][column]).append(w1[n * n + row][column]);
        ofModel.append(up[column * d + n * n + row]).append(up[column * d + row]);
        ofLemma.append(row == column / n ? 1f : 0f);
        ofModel.append(down[row * 4 * d + column]);
      }
      expected.add(ofLemma.toString());
      found.add(ofModel.toString());
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(Arrays.copyOf(offsets, n * n * n)).containsOnly(-1);
  }

  private static float[] matrix(int bits) {
    return new float[] {bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1};
  }

  @ParameterizedTest(name = "d = {0}")
  @ValueSource(ints = {8, 16})
  void mlpMultipliesAnyTwoMatricesOfZerosAndOnes(int width) {
    ExactModel model = new ExactModel(PaperTask.PARITY_CHECK.automaton(), 2, width, 2);
    assertThat(Arrays.copyOf(product(model, new float[] {1, 0, 1, 0}, new float[] {0, 1, 1, 0}), 4))
        .containsExactly(0, 1, 0, 1);
    for (int pair = 0; pair < 256; pair++) {
      float[] a = matrix(pair & 15);
      float[] b = matrix(pair >> 4);
      float[] expected_d = new float[model.width()];
      for (int i = 0; i < N * N; i++) {
        int row = i / N * N;
        expected_d[i] = a[row] * b[i % N] + a[row + 1] * b[N + i % N];
      }
      assertThat(product(model, a, b)).as("pair %d", pair).isEqualTo(expected_d);
    }
  }
}
