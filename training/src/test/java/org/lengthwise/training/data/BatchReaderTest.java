package org.lengthwise.training.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.training.RandomStreams;

class BatchReaderTest {
  private static final int LENGTH = 5;

  private static BatchReader reader(TokenStream tokens, long cursor) {
    Windows windows = new Windows(tokens, LENGTH, "train");
    WindowOrder order = new WindowOrder(windows.numWindows(), new RandomStreams(3));
    return new BatchReader(windows, order, 4, 2, cursor);
  }

  private static List<long[]> take(BatchReader reader, long cursor) {
    return reader.take(cursor).stream().map(Sequences::tokens).toList();
  }

  @Test
  void stepsReadAheadAreThoseReadOneByOne() {
    TokenStream tokens = new RepeatingTokens(101, 7);
    Windows windows = new Windows(tokens, LENGTH, "train");
    WindowOrder order = new WindowOrder(windows.numWindows(), new RandomStreams(3));
    try (BatchReader reader = reader(tokens, 0)) {
      for (long cursor = 0; cursor < 60; cursor += 4) { // three epochs of 20 windows
        List<long[]> expected = new ArrayList<>();
        for (long first : new long[] {cursor, cursor + 2}) {
          expected.add(windows.read(2, b -> order.window(first + b)).tokens());
        }
        assertThat(take(reader, cursor)).usingRecursiveComparison().isEqualTo(expected);
      }
    }
  }

  @Test
  void readerOfAResumedRunGoesOnAtItsCursor() {
    TokenStream tokens = new RepeatingTokens(101, 7);
    try (BatchReader whole = reader(tokens, 0);
        BatchReader resumed = reader(tokens, 8)) {
      take(whole, 0);
      take(whole, 4);
      assertThat(take(resumed, 8)).usingRecursiveComparison().isEqualTo(take(whole, 8));
      assertThatThrownBy(() -> resumed.take(8))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begins at window 12, not at 8");
    }
  }

  @Test
  void failureToReadReachesTheStep() {
    TokenStream broken =
        new TokenStream() {
          @Override
          public long numTokens() {
            return 101;
          }

          @Override
          public void read(long offset, int[] destination, int from, int count) {
            throw new IllegalStateException("the folder is closed");
          }
        };
    try (BatchReader reader = reader(broken, 0)) {
      assertThatThrownBy(() -> reader.take(0)).hasMessage("the folder is closed");
    }
  }
}
