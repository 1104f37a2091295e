package org.lengthwise.eval.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardReadingBenchTest {
  @Test
  void readsEveryLengthFromAboutSoManyShardsWithoutGarbage() throws IOException {
    ShardReadingBench bench = new ShardReadingBench(5, 100_000, List.of(513, 8193), 10_000_000, 8);
    ShardReadingBench.Outcome outcome = bench.run();
    assertThat(outcome.shards()).isBetween(4, 6);
    assertThat(outcome.tokens()).isBetween(200_000L, 250_000L);
    assertThat(outcome.openingMilliseconds()).isPositive();
    assertThat(outcome.windows())
        .extracting(ShardReadingBench.Row::windowLength)
        .containsExactly(513, 8193);
    assertThat(outcome.windows())
        .allSatisfy(
            row -> {
              assertThat(row.tokensPerSecond()).isPositive();
              assertThat(row.allocatedBytesPerWindow()).isLessThan(100);
            });
  }
}
