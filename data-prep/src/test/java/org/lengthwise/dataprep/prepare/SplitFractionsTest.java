package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.shard.Split;

class SplitFractionsTest {

  @Test
  void splitsGetTheGivenSharesOfDocuments() {
    SplitFractions fractions = new SplitFractions(0.7, 0.1, 0.2);
    Map<Split, Integer> counts = new EnumMap<>(Split.class);
    for (int i = 0; i < 100_000; i++) {
      byte[] text = ("document " + i).getBytes(StandardCharsets.UTF_8);
      counts.merge(fractions.splitOf(DocumentTokeniser.hash(text)), 1, Integer::sum);
    }
    assertThat(counts.get(Split.TRAIN)).isBetween(69_400, 70_600);
    assertThat(counts.get(Split.VALIDATION)).isBetween(9_700, 10_300);
    assertThat(counts.get(Split.TEST)).isBetween(19_600, 20_400);
  }

  @Test
  void theLowestHashesAreTestAndTheNextOnesValidation() {
    SplitFractions fractions = new SplitFractions(0.5, 0.25, 0.25);
    assertThat(fractions.splitOf(0)).isEqualTo(Split.TEST);
    assertThat(fractions.splitOf((1L << 62) - 1)).isEqualTo(Split.TEST);
    assertThat(fractions.splitOf(1L << 62)).isEqualTo(Split.VALIDATION);
    assertThat(fractions.splitOf(Long.MIN_VALUE)).isEqualTo(Split.TRAIN);
    assertThat(fractions.splitOf(-1)).isEqualTo(Split.TRAIN);
  }

  @Test
  void theHashIsTheFirst64BitsOfTheSha256OfTheText() {
    byte[] abc = "abc".getBytes(StandardCharsets.UTF_8);
    assertThat(DocumentTokeniser.hash(abc)).isEqualTo(0xba7816bf8f01cfeaL);
  }

  @Test
  void fractionsThatDoNotSumTo1AreRejected() {
    assertThatThrownBy(() -> new SplitFractions(0.9, 0.1, 0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sum to 1");
    assertThatThrownBy(() -> new SplitFractions(0, 0.5, 0.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SplitFractions(1.1, -0.1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SplitFractions(Double.NaN, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
