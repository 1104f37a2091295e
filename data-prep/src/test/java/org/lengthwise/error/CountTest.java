package org.lengthwise.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {
  @Test
  void oneThingIsInTheSingular() {
    assertThat(Count.of(1, "replica")).isEqualTo("1 replica");
    assertThat(Count.of(0, "replica")).isEqualTo("0 replicas");
    assertThat(Count.of(2048, "token")).isEqualTo("2,048 tokens");
    assertThat(Count.of(1, "entry", "entries")).isEqualTo("1 entry");
    assertThat(Count.of(2, "entry", "entries")).isEqualTo("2 entries");
  }

  @Test
  void bytesHaveTheUnitThatKeepsThemShort() {
    assertThat(Count.bytes(0)).isEqualTo("0 B");
    assertThat(Count.bytes(999)).isEqualTo("999 B");
    assertThat(Count.bytes(1000)).isEqualTo("1.0 kB");
    assertThat(Count.bytes(11_261_246)).isEqualTo("11.3 MB");
    assertThat(Count.bytes(37_888_000)).isEqualTo("37.9 MB");
    assertThat(Count.bytes(999_960)).isEqualTo("1.0 MB");
    assertThat(Count.bytes(4_200_000_000_000_000L)).isEqualTo("4200.0 TB");
  }

  @Test
  void largeNumbersAreRounded() {
    assertThat(Count.rounded(999)).isEqualTo("999");
    assertThat(Count.rounded(12_345)).isEqualTo("12.3k");
    assertThat(Count.rounded(2_500_000)).isEqualTo("2.5M");
  }
}
