package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormatTest {
  @Test
  void formatsWriteTicks() {
    assertThat(Format.COUNT.tick(-2048)).isEqualTo("2,048");
    assertThat(Format.COUNT.tick(1_500_000)).isEqualTo("1.5 M");
    assertThat(Format.NUMBER.tick(1234.5)).isEqualTo("1,234.5");
    assertThat(Format.NATS.tick(2.5)).isEqualTo("2.5");
    assertThat(Format.NATS.tick(1e-5)).isEqualTo("0.00001");
    assertThat(Format.NATS.tick(1e-7)).isEqualTo("1e-7");
    assertThat(Format.CHANGE.tick(-0.1)).isEqualTo("\u22120.1");
    assertThat(Format.CHANGE.tick(0.25)).isEqualTo("+0.25");
    assertThat(Format.CHANGE.tick(1e-17)).isEqualTo("0");
    assertThat(Format.SHARE.tick(0.5)).isEqualTo("50%");
  }
}
