package org.lengthwise.report.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LossCurveTest {
  private static LossCurve curve(double... losses) {
    return new LossCurve(
        IntStream.range(0, losses.length).mapToObj(i -> (double) i).toList(),
        Arrays.stream(losses).boxed().toList());
  }

  @Test
  void smoothingKeepsAConstant() {
    assertThat(curve(3, 3, 3, 3).smoothed(0.9).losses())
        .allSatisfy(loss -> assertThat(loss).isCloseTo(3, within(1e-12)));
  }

  @Test
  void eachLossHasTheWeightOfTheNextTimesTheFactor() {
    List<Double> smoothed = curve(8, 4, 2).smoothed(0.5).losses();
    assertThat(smoothed.get(0)).isEqualTo(8);
    assertThat(smoothed.get(1)).isCloseTo((8 * 0.5 + 4) / 1.5, within(1e-12));
    assertThat(smoothed.get(2)).isCloseTo((8 * 0.25 + 4 * 0.5 + 2) / 1.75, within(1e-12));
    assertThat(curve(8, 4, 2).smoothed(0)).isEqualTo(curve(8, 4, 2));
  }

  @Test
  void aThinnedCurveKeepsItsEndsAndPeaks() {
    double[] losses = new double[1000];
    losses[0] = 2;
    losses[321] = 9;
    losses[567] = -4;
    LossCurve thinned = curve(losses).thinned(12);
    assertThat(thinned.xs())
        .hasSizeLessThanOrEqualTo(12)
        .isSorted()
        .startsWith(0.0)
        .contains(321.0, 567.0)
        .endsWith(999.0);
    assertThat(thinned.losses()).contains(9.0, -4.0);
    assertThat(thinned.thinned(12)).isSameAs(thinned);
  }

  @Test
  void anAveragedCurveHasTheMeansOfGroups() {
    LossCurve averaged = curve(1, 3, 5, 7, 9).averaged(2);
    assertThat(averaged.xs()).containsExactly(0.5, 4.0);
    assertThat(averaged.losses()).containsExactly(2.0, 7.0);
    assertThat(curve(1, 3).averaged(2)).isEqualTo(curve(1, 3));
  }
}
