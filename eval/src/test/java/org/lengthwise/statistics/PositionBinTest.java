package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PositionBinTest {
  @Test
  void everyPositionIsInOneBin() {
    for (int greatest : new int[] {1, 2, 100, 511}) {
      List<PositionBin> bins = PositionBin.upTo(greatest);
      int next = 1;
      for (PositionBin bin : bins) {
        assertThat(bin.first()).isEqualTo(next);
        next = bin.last() + 1;
      }
      assertThat(next).isEqualTo(greatest + 1);
    }
  }

  @Test
  void binsGrowWithThePosition() {
    List<PositionBin> bins = PositionBin.upTo(511);
    assertThat(bins.get(0)).isEqualTo(new PositionBin(1, 1));
    assertThat(bins).hasSizeBetween(20, 27);
    PositionBin wide = bins.get(bins.size() - 2);
    assertThat((double) wide.last() / wide.first()).isCloseTo(Math.cbrt(2), within(0.05));
    assertThat(new PositionBin(4, 9).middle()).isEqualTo(6);
  }

  @Test
  void rejectsABinWithoutPositions() {
    assertThatThrownBy(() -> new PositionBin(0, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PositionBin(5, 4)).isInstanceOf(IllegalArgumentException.class);
  }
}
