package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 11L);
  private static final Bootstrap BOOTSTRAP = new Bootstrap(20_000, 0.95, 7);

  private static Scores seed(long seed, double... values) {
    return Scores.of(seed, LongStream.range(0, values.length).toArray(), values);
  }

  private static Scores seeds(double[]... values_SN) {
    return Scores.together(
            IntStream.range(0, values_SN.length).mapToObj(s -> seed(s, values_SN[s])).toList())
        .orElseThrow();
  }

  private static Estimate estimate(Bootstrap bootstrap, Scores scores) {
    return bootstrap.estimate(scores).orElseThrow();
  }

  /**
   * The mean of two draws from 0 and 1 is 0, 1/2 and 1 with the probabilities 1/4, 1/2 and 1/4. Its
   * distance from 1/2 is multiplied by the root of 2 and by the ratio of the quantiles of Student's
   * t with one degree of freedom and of the normal distribution: 12.7062 / 1.95996, and at 55 %
   * 1.17085 / 0.75542.
   */
  @Test
  void twoTokensHaveTheBinomialDistribution() {
    Scores scores = seed(1, 0, 1);
    assertWithin(0.95, Math.sqrt(2) * 12.7062 / 1.95996 / 2, scores);
    assertWithin(0.55, Math.sqrt(2) * 1.17085 / 0.75542 / 2, scores);
    assertWithin(0.45, 0, scores);
  }

  private static void assertWithin(double confidence, double away, Scores scores) {
    Interval interval = estimate(new Bootstrap(20_000, confidence, 7), scores).interval();
    assertThat(interval.low()).isCloseTo(0.5 - away, within(1e-4));
    assertThat(interval.high()).isCloseTo(0.5 + away, within(1e-4));
  }

  @Test
  void aSingleUnitHasNoInterval() {
    assertThat(BOOTSTRAP.estimate(seed(1, 3))).isEmpty();
    assertThat(BOOTSTRAP.estimate(Scores.ofWindows(1, new long[] {9, 9}, new double[] {1, 2}, 8)))
        .isEmpty();
  }

  /** The variance of the bootstrap mean is the variance of the values over N, here 1/4 over 400. */
  @Test
  void manyTokensHaveTheNormalInterval() {
    double[] values = IntStream.range(0, 400).mapToDouble(i -> i % 2).toArray();
    Interval interval = estimate(BOOTSTRAP, seed(1, values)).interval();
    assertThat(interval.low()).isCloseTo(0.5 - 1.96 * 0.025, within(0.003));
    assertThat(interval.high()).isCloseTo(0.5 + 1.96 * 0.025, within(0.003));
  }

  /**
   * With equal tokens only Student's t remains. Its 97.5 % quantile for two degrees of freedom is
   * 4.3027.
   */
  @Test
  void threeSeedsHaveStudentsInterval() {
    Scores scores = seeds(new double[] {1, 1}, new double[] {2, 2}, new double[] {3, 3});
    Estimate estimate = estimate(new Bootstrap(200_000, 0.95, 7), scores);
    assertThat(estimate.mean()).isEqualTo(2);
    assertThat(estimate.numSeeds()).isEqualTo(3);
    assertThat(estimate.interval().high() - 2).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
    assertThat(2 - estimate.interval().low()).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
  }

  /**
   * Twice the share of the draws at or below zero: two tokens 0 and 1 have a mean of 0 in a quarter
   * of the resamples, and the stretched distance takes all of these below zero.
   */
  @Test
  void thePValueIsTwiceTheShareOfTheDrawsBeyondZero() {
    assertThat(estimate(BOOTSTRAP, seed(1, 0, 1)).pValue()).isCloseTo(0.5, within(0.02));
    assertThat(estimate(BOOTSTRAP, seed(1, -1, 1)).pValue()).isEqualTo(1);
    assertThat(estimate(BOOTSTRAP, seed(1, 0, 0)).pValue()).isEqualTo(1);
  }

  /**
   * The seeds 9, 10 and 11 have the mean 10 and the standard error 1 / sqrt(3), so t = 17.3205.
   * With two degrees of freedom the two-sided probability is 1 - t / sqrt(2 + t^2) = 0.0033168.
   */
  @Test
  void thePValueOfThreeSeedsIsThatOfStudentsTest() {
    Scores scores = seeds(new double[] {9, 9}, new double[] {10, 10}, new double[] {11, 11});
    assertThat(estimate(new Bootstrap(200_000, 0.95, 7), scores).pValue())
        .isCloseTo(0.0033168, within(0.0006));
    double farther = estimate(new Bootstrap(20, 0.95, 7), scores).pValue();
    assertThat(farther).isCloseTo(0.0033168, within(1e-6));
  }

  /**
   * Ten standard errors over tokens, and seeds that hardly differ. No draw lies beyond zero, and
   * the error over seeds would have to be 7,200 times as large.
   */
  @Test
  void thePValueOfManyTokensIsNotThatOfThreeSeeds() {
    double[] values = IntStream.range(0, 1000).mapToDouble(i -> i % 2 == 0 ? 1 : -0.52).toArray();
    double[] higher = Arrays.stream(values).map(value -> value + 1e-4).toArray();
    Scores scores = seeds(values, values, higher);
    assertThat(scores.standardErrorOverUnits().orElseThrow()).isCloseTo(0.024, within(1e-3));
    assertThat(estimate(BOOTSTRAP, scores).pValue()).isBetween(1e-8, 3e-8);
  }

  /** The common part of the tokens of a window counts once, so the interval is wider. */
  @Test
  void aWindowIsResampledAsAWhole() {
    double[] values = IntStream.range(0, 800).mapToDouble(i -> (i / 4) % 2).toArray();
    long[] targets = LongStream.range(0, values.length).toArray();
    Interval tokens = estimate(BOOTSTRAP, Scores.of(1, targets, values)).interval();
    long[] ends = LongStream.range(0, values.length).map(i -> 4 * (i / 4) + 4).toArray();
    Interval windows = estimate(BOOTSTRAP, Scores.ofWindows(1, ends, values, 4)).interval();
    assertThat((windows.high() - windows.low()) / (tokens.high() - tokens.low()))
        .isCloseTo(2, within(0.1));
  }

  @Test
  void theSameSeedGivesTheSameInterval() {
    Scores scores = seed(1, 3, 1, 4, 1, 5);
    assertThat(estimate(BOOTSTRAP, scores)).isEqualTo(estimate(BOOTSTRAP, scores));
  }

  @Test
  void pairsShowADifferenceThatTheSpreadOfTokensHides() {
    SplittableRandom random = new SplittableRandom(3);
    double[] hard = random.doubles(200, 0, 8).toArray();
    double[] harder = IntStream.range(0, 200).mapToDouble(i -> hard[i] + 0.05).toArray();
    Scores one = seed(1, hard);
    Scores other = seed(1, harder);
    assertThat(estimate(BOOTSTRAP, one).interval().contains(other.mean())).isTrue();
    Estimate difference = estimate(BOOTSTRAP, other.minus(one).orElseThrow());
    assertThat(difference.interval().contains(0)).isFalse();
    assertThat(difference.mean()).isCloseTo(0.05, within(1e-12));
  }

  /**
   * Synthetic experiments with true mean 0. A value is the sum of an offset of its seed, a
   * difficulty of its token and noise. 95 % of the intervals should contain 0. With 400 trials
   * three standard deviations are 3.3 points.
   */
  @Test
  void intervalsOfThreeSeedsAndSkewedTokensHaveTheirCoverage() {
    assertCovered(BootstrapTest::experiment);
  }

  /**
   * Synthetic experiments with one seed and 20 windows that end anywhere. A window is easier or
   * harder as a whole, so there are 20 independent numbers, however many tokens are scored.
   */
  @Test
  void intervalsOfTwentyWindowsHaveTheirCoverage() {
    assertCovered(BootstrapTest::twentyWindows);
  }

  private static Scores twentyWindows(SplittableRandom random) {
    int length = 32;
    long[] ends = new long[20 * (length - 1)];
    double[] values = new double[ends.length];
    for (int window = 0; window < 20; window++) {
      int first = window * (length - 1);
      Arrays.fill(
          ends, first, first + length - 1, 1000L * window + length - 1 + random.nextInt(500));
      Arrays.fill(values, first, first + length - 1, random.nextGaussian());
    }
    return Scores.ofWindows(1, ends, values, length - 1);
  }

  private static void assertCovered(Function<SplittableRandom, Scores> experiment) {
    SplittableRandom random = new SplittableRandom(SEED);
    Bootstrap small = new Bootstrap(400, 0.95, 5);
    int trials = 400;
    long covered =
        IntStream.range(0, trials)
            .filter(trial -> estimate(small, experiment.apply(random)).interval().contains(0))
            .count();
    assertThat((double) covered / trials)
        .as("coverage with -Dlengthwise.test.seed=%d", SEED)
        .isBetween(0.917, 0.985);
  }

  private static Scores experiment(SplittableRandom random) {
    int tokens = 100;
    double[] hardness = new double[tokens];
    for (int n = 0; n < tokens; n++) {
      hardness[n] = -Math.log(random.nextDouble()) - 1;
    }
    return seeds(List.of(1, 2, 3).stream().map(s -> of(hardness, random)).toArray(double[][]::new));
  }

  private static double[] of(double[] hardness, SplittableRandom random) {
    double seed = 0.1 * random.nextGaussian();
    return IntStream.range(0, hardness.length)
        .mapToDouble(n -> hardness[n] + seed + 0.3 * random.nextGaussian())
        .toArray();
  }

  /** The sum of two Cauchy variables is a Cauchy variable, whose scale is the sum of theirs. */
  @Test
  void theTailOfTwoPartsIsThatOfTheirSum() {
    for (double distance : new double[] {0, 0.1, 1, 3, 50, 1e6}) {
      double expected = Math.atan(1.3 / distance) / Math.PI;
      assertThat(Bootstrap.tail(distance, new Bootstrap.Part(1, 2), new Bootstrap.Part(0.3, 2)))
          .as("distance %s", distance)
          .isCloseTo(expected, within((distance < 10 ? 1e-6 : 0.03) * expected));
    }
    assertThat(Bootstrap.tail(25, new Bootstrap.Part(3, 1_000), new Bootstrap.Part(4, 1 << 30)))
        .as("five standard errors of a nearly normal sum")
        .isCloseTo(2.9e-7, within(2e-8));
    assertThat(Bootstrap.tail(1, new Bootstrap.Part(0, 1), new Bootstrap.Part(0.5, 3)))
        .as("one seed adds nothing")
        .isCloseTo(0.0917517, within(1e-6));
  }

  @Test
  void quantilesAreLinearBetweenTheOrderStatistics() {
    double[] rising = {1, 2, 4};
    assertThat(Bootstrap.quantile(rising, 0)).isEqualTo(1);
    assertThat(Bootstrap.quantile(rising, 0.75)).isEqualTo(3);
    assertThat(Bootstrap.quantile(rising, 1)).isEqualTo(4);
  }

  @Test
  void rejectsImpossibleSettings() {
    assertThatThrownBy(() -> new Bootstrap(0, 0.95, 1)).hasMessageContaining("resamples");
    assertThatThrownBy(() -> new Bootstrap(10, 1, 1)).hasMessageContaining("confidence");
  }
}
