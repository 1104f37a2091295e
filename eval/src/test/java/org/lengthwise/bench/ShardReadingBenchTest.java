package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardReadingBenchTest {
  @Test
  void windowsOfEveryLengthAreReadWithoutGarbage() throws IOException {
    ShardReadingBench bench = new ShardReadingBench(5, 100_000, List.of(513, 8193), 10_000_000, 8);
    ShardReadingBench.Result result = bench.run();
    assertThat(result.shards()).isBetween(4, 6);
    assertThat(result.tokens()).isBetween(200_000L, 250_000L);
    assertThat(result.openingMilliseconds()).isPositive();
    assertThat(result.windows())
        .extracting(ShardReadingBench.Row::windowLength)
        .containsExactly(513, 8193);
    assertThat(result.windows())
        .allSatisfy(
            row -> {
              assertThat(row.tokensPerSecond()).isPositive();
              assertThat(row.allocatedBytesPerWindow()).isLessThan(100);
            });
  }
}
