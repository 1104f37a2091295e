package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
