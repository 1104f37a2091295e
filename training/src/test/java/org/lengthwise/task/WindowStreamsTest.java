package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;

class WindowStreamsTest {
  private static final WindowStreams STREAMS = WindowStreams.of(23, 4, new RandomStreams(7));

  @Test
  void everyWindowIsReadOnceInAnEpochExceptFewerThanTheStreams() {
    assertThat(STREAMS.used()).isEqualTo(20);
    assertThat(LongStream.range(0, 20).map(STREAMS::window))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 20).boxed().toList());
  }

  @Test
  void aStreamReadsOnIntoTheNextOneAndFromTheEndToTheBeginning() {
    for (long sample = 0; sample < 60; sample++) {
      assertThat(STREAMS.window(sample + 4)).isEqualTo((STREAMS.window(sample) + 1) % 20);
    }
  }

  @Test
  void theSeedDecidesWhereStreamsBegin() {
    assertThat(LongStream.range(1, 9).map(seed -> first(seed)).distinct().count()).isGreaterThan(3);
    assertThat(first(7)).isEqualTo(STREAMS.window(0));
  }

  private static long first(long seed) {
    return WindowStreams.of(23, 4, new RandomStreams(seed)).window(0);
  }

  @Test
  void aSplitWithFewerWindowsThanStreamsIsBadData() {
    assertThatThrownBy(() -> WindowStreams.of(3, 4, new RandomStreams(1)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 4 windows of training.length, one for each stream")
        .hasMessageContaining("3 windows");
  }
}
