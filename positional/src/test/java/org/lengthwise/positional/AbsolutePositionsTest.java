package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AbsolutePositionsTest {

  @Test
  void sinusoidsAreAddedToTokensTimesTheRootOfTheWidth() {
    double[] embedded =
        PositionTable.SINUSOIDAL.embed(
            new double[] {1, 0, -0.5, 0}, new PositionalValues(1, 1, Map.of()), 3);
    assertThat(embedded)
        .containsExactly(
            new double[] {2 + Math.sin(3), Math.cos(3), -1 + Math.sin(0.03), Math.cos(0.03)},
            within(1e-12));
  }

  @Test
  void learnedPositionsAreRowsOfAFiniteTable() {
    PositionalValues values =
        new PositionalValues(1, 1, Map.of("wpe.weight", new double[] {1, 2, 3, 4, 5, 6}));
    assertThat(PositionTable.LEARNED.embed(new double[] {0.5, 0}, values, 1))
        .containsExactly(3.5, 4);
    assertThat(new Learned(3).lengths().longest()).isEqualTo(3);
    assertThat(new Sinusoidal().lengths().longest()).isEqualTo(Long.MAX_VALUE);
  }
}
