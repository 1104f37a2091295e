package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
  void eachWiderBucketBeginsWhereThePaperSaysSo() {
    for (int i = 0; i < FIRST_DISTANCES.length; i++) {
      assertThat(T5.bucket(FIRST_DISTANCES[i])).isEqualTo(16 + i);
      assertThat(T5.bucket(FIRST_DISTANCES[i] - 1)).isEqualTo(15 + i);
    }
  }

  @Test
  void everythingFarSharesTheLastBucket() {
    assertThat(T5.bucket(113)).isEqualTo(31);
    assertThat(T5.bucket(1L << 40)).isEqualTo(31);
  }

  @Test
  void biasIsReadFromTheTableByBucketThenHead() {
    double[] table = new double[64];
    Arrays.setAll(table, i -> i);
    assertThat(new T5().bias(new PositionalValues(2, Map.of("bias", table)), 1, 0, 20, 20))
        .isEqualTo(35);
  }
}
