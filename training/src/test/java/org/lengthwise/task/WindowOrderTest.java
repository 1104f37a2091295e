package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.random.RandomStreams;

class WindowOrderTest {

  private static long[] epoch(long numWindows, long seed, int epoch) {
    WindowOrder order = new WindowOrder(numWindows, new RandomStreams(seed));
    return LongStream.range(epoch * numWindows, (epoch + 1) * numWindows)
        .map(order::window)
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 16, 17, 1000, 65_536, 65_537})
  void everyEpochDrawsEveryWindowOnce(long numWindows) {
    for (int epoch = 0; epoch < 3; epoch++) {
      long[] drawn = epoch(numWindows, 7, epoch);
      Arrays.sort(drawn);
      assertThat(drawn).isEqualTo(LongStream.range(0, numWindows).toArray());
    }
  }

  @Test
  void epochsAndSeedsDiffer() {
    assertThat(epoch(1000, 7, 0)).isNotEqualTo(epoch(1000, 7, 1)).isNotEqualTo(epoch(1000, 8, 0));
  }

  @Test
  void windowDependsOnItsPositionOnly() {
    long[] whole = epoch(1000, 7, 1);
    WindowOrder resumed = new WindowOrder(1000, new RandomStreams(7));
    assertThat(resumed.window(1637)).isEqualTo(whole[637]);
  }

  @Test
  void neighboursOfTheOrderAreSpreadOverTheCorpus() {
    long[] drawn = epoch(100_000, 3, 0);
    double meanStep =
        LongStream.range(1, drawn.length)
            .map(i -> Math.abs(drawn[(int) i] - drawn[(int) i - 1]))
            .average()
            .orElseThrow();
    assertThat(meanStep).isBetween(32_000.0, 34_700.0); // a third of the range, if uniform
  }
}
