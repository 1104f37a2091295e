package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SandwichTest {

  @Test
  void biasIsTheInnerProductOfSinusoidalEmbeddingsUpToAConstantPerQuery() {
    double[] query =
        PositionTable.SINUSOIDAL.embed(new double[128], new PositionalValues(1, 1, Map.of()), 317);
    double[] key =
        PositionTable.SINUSOIDAL.embed(new double[128], new PositionalValues(1, 1, Map.of()), 40);
    double product = 0;
    for (int i = 0; i < 128; i++) {
      product += query[i] * key[i];
    }
    PositionalValues values = new PositionalValues(12, 1, Map.of());
    // The third of twelve heads divides by 8 * 3 / 12 = 2; the constant is 64 cosines of 0.
    assertThat(new Sandwich(128).bias(values, 2, 0, 317, 277))
        .isEqualTo((product - 64) / 2, within(1e-9));
    assertThat(new Sandwich(128).bias(values, 2, 0, 317, 0)).isZero();
  }

  @Test
  void oddDimensionIsRejected() {
    assertThatThrownBy(() -> new Sandwich(7)).hasMessageContaining("even");
  }
}
