package org.lengthwise.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GaussiansTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 65_535, 65_536, 65_537, 400_001})
  void areTheNumbersOfJavasGenerator(int count) {
    for (long seed : new long[] {0, 1, -5, Long.MIN_VALUE, 0x123456789ABCDEFL}) {
      Random random = new Random(seed);
      float[] expected = new float[count];
      for (int i = 0; i < count; i++) {
        expected[i] = (float) (random.nextGaussian() * 0.02);
      }
      float[] found = new float[count];
      Gaussians.fill(found, seed, 0.02);
      assertThat(found).isEqualTo(expected);
    }
  }
}
