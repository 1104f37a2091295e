package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.PositionalParameter.BiasTable;

class T5Test {
  private static final int[] FIRST_DISTANCES = {
    16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113
  };

  @Test
  void distancesBelowSixteenHaveABucketEach() {
    assertThat(IntStream.range(0, 16).map(T5::bucket).toArray())
        .isEqualTo(IntStream.range(0, 16).toArray());
  }

  @Test
  void eachWiderBucketBeginsAtThePapersDistance() {
    for (int i = 0; i < FIRST_DISTANCES.length; i++) {
      assertThat(T5.bucket(FIRST_DISTANCES[i])).isEqualTo(16 + i);
      assertThat(T5.bucket(FIRST_DISTANCES[i] - 1)).isEqualTo(15 + i);
    }
  }

  @Test
  void allFarDistancesShareTheLastBucket() {
    assertThat(T5.bucket(113)).isEqualTo(31);
    assertThat(T5.bucket(1L << 40)).isEqualTo(31);
  }

  @Test
  void biasIsReadFromTheTableByBucketThenHead() {
    double[] table = new double[64];
    Arrays.setAll(table, i -> i);
    assertThat(
            new T5(T5.Scale.ONE)
                .bias(new PositionalValues(2, 1, Map.of("bias", table)), 1, 0, 20, 20))
        .isEqualTo(35);
  }

  @Test
  void scaledBiasIsEightTimesTheTableForHeadsOfWidthSixtyFour() {
    double[] table = new double[64];
    Arrays.setAll(table, i -> i);
    T5 scaled = new T5(T5.Scale.SQRT_HEAD_WIDTH);
    assertThat(scaled.bias(new PositionalValues(2, 64, Map.of("bias", table)), 1, 0, 20, 20))
        .isEqualTo(280);
    BiasTable layout = scaled.parameters(2, 128).get(0).table().orElseThrow();
    assertThat(layout.ranges(new float[] {1, 0, 3, 5, 2, -1}, 2)) // three buckets of two heads
        .containsExactly(8 * 2, 8 * 6);
    assertThat(scaled.parameters(12, 768).get(0).table().orElseThrow().startsFlat()).isFalse();
    assertThat(scaled.parameters(12, 768).get(0).initial())
        .isEqualTo(new PositionalParameter.Initial.Normal(0.02));
  }
}
