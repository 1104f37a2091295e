package org.lengthwise.dataprep.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.inspect.LengthHistogram.Bin;

class LengthHistogramTest {
  private static LengthHistogram of(int... lengths) {
    LengthHistogram.Counter counter = new LengthHistogram.Counter();
    for (int length : lengths) {
      counter.add(length);
    }
    return counter.histogram();
  }

  @Test
  void aBinReachesFromAPowerOfTwoUpToTheNext() {
    assertThat(of(7, 4, 8, 1).bins())
        .containsExactly(
            new Bin(1, 2, 1, 1), new Bin(2, 4, 0, 0), new Bin(4, 8, 2, 11), new Bin(8, 16, 1, 8));
  }

  @Test
  void emptyBinsAreShownOnlyBetweenOthers() {
    assertThat(of(4, 40).bins()).extracting(Bin::documents).containsExactly(1L, 0L, 0L, 1L);
    assertThat(of().bins()).isEmpty();
  }

  @Test
  void theLongestArrayHasABin() {
    assertThat(of(Integer.MAX_VALUE).bins())
        .containsExactly(new Bin(1L << 30, 1L << 31, 1, Integer.MAX_VALUE));
  }
}
