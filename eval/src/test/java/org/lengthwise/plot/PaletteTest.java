package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PaletteTest {
  @Test
  void looksDiffer() {
    assertThat(new HashSet<>(Palette.looks(24))).hasSize(24);
    assertThat(Stream.iterate(0, look -> look + 1).limit(16).map(Palette::colour))
        .doesNotHaveDuplicates();
    assertThat(Palette.css(24)).contains("--look-7: #", ".look-15 {", ".look-23 {");
  }
}
