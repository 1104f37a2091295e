package org.lengthwise.eval.report;

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
  void aConstantStaysWhatItIsFromTheFirstPointOn() {
    assertThat(curve(3, 3, 3, 3).smoothed(0.9).losses())
        .allSatisfy(loss -> assertThat(loss).isCloseTo(3, within(1e-12)));
  }

  @Test
  void eachLossWeighsLessByTheFactorThanTheNext() {
    List<Double> smoothed = curve(8, 4, 2).smoothed(0.5).losses();
    assertThat(smoothed.get(0)).isEqualTo(8);
    assertThat(smoothed.get(1)).isCloseTo((8 * 0.5 + 4) / 1.5, within(1e-12));
    assertThat(smoothed.get(2)).isCloseTo((8 * 0.25 + 4 * 0.5 + 2) / 1.75, within(1e-12));
    assertThat(curve(8, 4, 2).smoothed(0)).isEqualTo(curve(8, 4, 2));
  }

  @Test
  void aThinnedCurveKeepsItsEnds() {
    LossCurve whole = curve(IntStream.range(0, 1000).asDoubleStream().toArray());
    LossCurve thinned = whole.thinned(10);
    assertThat(thinned.xs()).hasSize(10).isSorted().startsWith(0.0).endsWith(999.0);
    assertThat(thinned.losses()).isEqualTo(thinned.xs());
    assertThat(thinned.thinned(10)).isSameAs(thinned);
  }
}
