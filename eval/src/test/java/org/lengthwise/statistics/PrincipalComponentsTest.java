package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrincipalComponentsTest {
  /**
   * The points (1, 2, 0), (3, 1, 4), (0, 0, 1), (2, 5, 2), (4, 3, 3), computed with
   * numpy.linalg.eigh.
   */
  private static final List<float[]> FIVE =
      List.of(
          new float[] {1, 2, 0},
          new float[] {3, 1, 4},
          new float[] {0, 0, 1},
          new float[] {2, 5, 2},
          new float[] {4, 3, 3});

  @Test
  void sharesAndCoordinatesAreThoseOfAnotherImplementation() {
    PrincipalComponents components = PrincipalComponents.of(FIVE);
    assertThat(components.share(0)).isCloseTo(0.605584353435, within(1e-11));
    assertThat(components.share(1)).isCloseTo(0.355534963813, within(1e-11));
    assertThat(components.share(2)).isCloseTo(0.038880682751, within(1e-11));
    assertThat(components.coordinate(FIVE.get(0), 0)).isCloseTo(-1.766900716981, within(1e-11));
    assertThat(components.coordinate(FIVE.get(0), 1)).isCloseTo(1.242204875816, within(1e-11));
    assertThat(components.coordinate(FIVE.get(3), 0)).isCloseTo(1.636772100664, within(1e-11));
    assertThat(components.coordinate(FIVE.get(3), 1)).isCloseTo(2.184593408239, within(1e-11));
  }

  @Test
  void varianceOfTheCoordinatesIsTheShareOfTheComponent() {
    Random random = new Random(11);
    List<float[]> points = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      float[] point = new float[12];
      for (int j = 0; j < point.length; j++) {
        point[j] = (float) (random.nextGaussian() * (j % 5 + 1) + (j > 0 ? point[j - 1] : 7));
      }
      points.add(point);
    }
    PrincipalComponents components = PrincipalComponents.of(points);
    double total = 0;
    double[] mean = PrincipalComponents.mean(points);
    for (float[] point : points) {
      for (int j = 0; j < point.length; j++) {
        total += Math.pow(point[j] - mean[j], 2);
      }
    }
    double shares = 0;
    for (int c = 0; c < 12; c++) {
      int component = c;
      double[] along =
          points.stream().mapToDouble(point -> components.coordinate(point, component)).toArray();
      double variance = Arrays.stream(along).map(x -> x * x).sum();
      assertThat(Arrays.stream(along).sum()).isCloseTo(0, within(1e-9));
      assertThat(components.share(c)).isCloseTo(variance / total, within(1e-12));
      assertThat(components.share(c)).isLessThanOrEqualTo(components.share(Math.max(0, c - 1)));
      for (int other = 0; other < c; other++) {
        int before = other;
        double product = 0;
        for (int i = 0; i < along.length; i++) {
          product += along[i] * components.coordinate(points.get(i), before);
        }
        assertThat(product / total)
            .as("correlation of %d and %d", c, other)
            .isCloseTo(0, within(1e-12));
      }
      shares += components.share(c);
    }
    assertThat(shares).isCloseTo(1, within(1e-12));
  }

  @Test
  void equalPointsHaveNoVariance() {
    List<float[]> equal = List.of(new float[] {2, 1}, new float[] {2, 1});
    PrincipalComponents components = PrincipalComponents.of(equal);
    assertThat(components.share(0)).isZero();
    assertThat(components.coordinate(equal.get(0), 0)).isZero();
  }
}
