package org.lengthwise.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompactSvgTest {
  private static String line(String style, String x1, String y1, String x2, String y2) {
    return "    <line style=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>\n"
        .formatted(style, x1, x2, y1, y2);
  }

  @Test
  void segmentsOfOneStyleBecomeOnePathWithItsGaps() {
    String svg =
        "<g>\n"
            + line("a", "0", "1", "2", "3")
            + line("a", "2", "3", "4", "5")
            + line("a", "8", "5", "9", "5")
            + "</g>\n";
    assertThat(CompactSvg.of(svg, "chart"))
        .isEqualTo("<g>\n<path style=\"a\" d=\"M0,1L2,3L4,5M8,5L9,5\"/>\n</g>\n");
  }

  @Test
  void theOrderOfElementsStays() {
    String svg =
        line("a", "0", "1", "2", "3")
            + line("b", "2", "3", "4", "5")
            + "<rect/>\n"
            + line("b", "4", "5", "6", "7");
    assertThat(CompactSvg.of(svg, "chart"))
        .isEqualTo(
            """
            <path style="a" d="M0,1L2,3"/>
            <path style="b" d="M2,3L4,5"/>
            <rect/>
            <path style="b" d="M4,5L6,7"/>
            """);
  }

  @Test
  void numbersKeepTwoDecimalsAndOtherTextStays() {
    assertThat(
            CompactSvg.of(
                "<?xml version=\"1.0\"?><a d=\"M-7.4375,1.0E-5 Q12.0,3.999 -0.001,1.25\"/>",
                "chart"))
        .isEqualTo("<?xml version=\"1.0\"?><a d=\"M-7.44,0 Q12.0,4 0,1.25\"/>\n");
  }

  @Test
  void clipPathsAreNamedAfterTheChart() {
    assertThat(
            CompactSvg.of(
                "<a id=\"clip42\"/>\n<b clip=\"#clip7\"/>\n<c clip=\"#clip42\"/>", "loss"))
        .isEqualTo(
            "<a id=\"loss-clip-0\"/>\n<b clip=\"#loss-clip-1\"/>\n<c clip=\"#loss-clip-0\"/>\n");
  }
}
