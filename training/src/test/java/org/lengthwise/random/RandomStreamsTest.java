package org.lengthwise.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RandomStreamsTest {

  @Test
  void streamsDependOnSeedAndName() {
    RandomStreams streams = new RandomStreams(1);
    assertThat(streams.seedOf("a")).isEqualTo(new RandomStreams(1).seedOf("a"));
    assertThat(streams.seedOf("a")).isNotEqualTo(streams.seedOf("b"));
    assertThat(streams.seedOf("a")).isNotEqualTo(new RandomStreams(2).seedOf("a"));
  }
}
