package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClustersTest {
  private static float[] at(double x, double y) {
    return new float[] {(float) x, (float) y};
  }

  /**
   * Means (0, 0), (10, 0) and (0, 4); the point (0, 3) of the first class is nearer to the third.
   */
  @Test
  void distancesAreThoseComputedByHand() {
    Clusters clusters =
        Clusters.of(
            List.of(at(0, 3), at(0, -3), at(9, 0), at(11, 0), at(0, 4)),
            List.of("a", "a", "b", "b", "c"));
    assertThat(clusters.numClasses()).isEqualTo(3);
    assertThat(clusters.nearest()).isEqualTo(0.8);
    assertThat(clusters.within()).isCloseTo((3 + 3 + 1 + 1) / 5.0, within(1e-12));
    assertThat(clusters.between().orElseThrow())
        .isCloseTo((10 + 4 + Math.sqrt(116)) / 3, within(1e-12));
    assertThat(clusters.ratio().orElseThrow())
        .isCloseTo(1.6 * 3 / (14 + Math.sqrt(116)), within(1e-12));
  }

  @Test
  void oneClassAndEqualMeansHaveNoRatio() {
    assertThat(Clusters.of(List.of(at(1, 2), at(3, 2)), List.of(7, 7)).ratio()).isEmpty();
    assertThat(Clusters.of(List.of(at(1, 2), at(1, 2)), List.of(7, 8)).ratio()).isEmpty();
  }
}
