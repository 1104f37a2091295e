package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lengthwise.generate.Sampler.Distribution;

class SamplerTest {
  /** Logits of the probabilities 1/16, 8/16, 3/16 and 4/16, plus a constant. */
  private static final float[] LOGITS = {
    (float) Math.log(1) + 3,
    (float) Math.log(8) + 3,
    (float) Math.log(3) + 3,
    (float) Math.log(4) + 3
  };

  private static Distribution of(double temperature, int topK, double topP) {
    return new Sampler(temperature, topK, topP).distribution(LOGITS);
  }

  private static void assertIs(Distribution found, int[] ids, double... probabilities) {
    assertThat(found.ids()).isEqualTo(ids);
    assertThat(found.probabilities()).containsExactly(probabilities, within(1e-6));
  }

  @Test
  void temperatureOneIsTheModelsOwnDistribution() {
    assertIs(of(1, 0, 1), new int[] {1, 3, 2, 0}, 8 / 16.0, 4 / 16.0, 3 / 16.0, 1 / 16.0);
  }

  /** Half the temperature squares the weights 8, 4, 3, 1; twice the temperature takes roots. */
  @Test
  void temperatureIsAnExponent() {
    assertIs(of(0.5, 0, 1), new int[] {1, 3, 2, 0}, 64 / 90.0, 16 / 90.0, 9 / 90.0, 1 / 90.0);
    double total = Math.sqrt(8) + 2 + Math.sqrt(3) + 1;
    assertIs(
        of(2, 0, 1),
        new int[] {1, 3, 2, 0},
        Math.sqrt(8) / total,
        2 / total,
        Math.sqrt(3) / total,
        1 / total);
  }

  @Test
  void topKKeepsTheMostLikelyTokensAndRescalesThem() {
    assertIs(of(1, 2, 1), new int[] {1, 3}, 8 / 12.0, 4 / 12.0);
    assertIs(of(1, 1, 1), new int[] {1}, 1);
    assertIs(of(1, 9, 1), new int[] {1, 3, 2, 0}, 8 / 16.0, 4 / 16.0, 3 / 16.0, 1 / 16.0);
  }

  /** The cumulative probabilities are 0.5, 0.75 and 0.9375. */
  @Test
  void topPKeepsTheFewestTokensThatReachP() {
    assertIs(of(1, 0, 0.1), new int[] {1}, 1);
    assertIs(of(1, 0, 0.49), new int[] {1}, 1);
    assertIs(of(1, 0, 0.6), new int[] {1, 3}, 8 / 12.0, 4 / 12.0);
    assertIs(of(1, 0, 0.8), new int[] {1, 3, 2}, 8 / 15.0, 4 / 15.0, 3 / 15.0);
  }

  /** Of the three tokens that top-k keeps, 8/15 and 4/15 add up to more than 0.7. */
  @Test
  void topPComesAfterTopK() {
    assertIs(of(1, 3, 0.7), new int[] {1, 3}, 8 / 12.0, 4 / 12.0);
  }

  @Test
  void temperatureZeroTakesTheMostLikelyTokenWithoutRandomness() {
    Random random = new Random(5);
    float[] equals = {1, 7, 7, -2};
    assertThat(new Sampler(0, 0, 1).draw(equals, random)).isEqualTo(1);
    assertThat(random.nextLong()).isEqualTo(new Random(5).nextLong());
  }

  @Test
  void hugeLogitsDoNotOverflowAndTokensWithoutProbabilityAreNeverDrawn() {
    Distribution found = new Sampler(0.01, 0, 1).distribution(new float[] {3e30f, -3e30f, 3e30f});
    assertIs(found, new int[] {0, 2}, 0.5, 0.5);
  }

  @Test
  void aPointSelectsTheTokenOfItsCumulativeInterval() {
    Distribution found = of(1, 0, 1);
    assertThat(found.at(0)).isEqualTo(1);
    assertThat(found.at(0.499)).isEqualTo(1);
    assertThat(found.at(0.501)).isEqualTo(3);
    assertThat(found.at(0.76)).isEqualTo(2);
    assertThat(found.at(0.95)).isEqualTo(0);
    assertThat(found.at(1)).isEqualTo(0);
  }

  @Test
  void drawFrequenciesMatchProbabilities() {
    long seed = Long.getLong("lengthwise.test.seed", 3);
    Random random = new Random(seed);
    Sampler sampler = new Sampler(1, 3, 1);
    int[] counts = new int[4];
    int draws = 30_000;
    for (int i = 0; i < draws; i++) {
      counts[sampler.draw(LOGITS, random)]++;
    }
    assertThat(counts[0]).isZero();
    // Six standard deviations: less than one seed in 10^8 misses it.
    double deviations = 6 * Math.sqrt(draws) / 2;
    assertThat((double) counts[1])
        .as("seed %d", seed)
        .isCloseTo(draws * 8 / 15.0, within(deviations));
    assertThat((double) counts[2])
        .as("seed %d", seed)
        .isCloseTo(draws * 3 / 15.0, within(deviations));
  }

  @Test
  void invalidSettingsAreRejected() {
    for (double[] wrong :
        new double[][] {{-1, 0, 1}, {Double.NaN, 0, 1}, {1, -1, 1}, {1, 0, 0}, {1, 0, 1.1}}) {
      assertThatThrownBy(() -> new Sampler(wrong[0], (int) wrong[1], wrong[2]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
