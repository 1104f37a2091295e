package org.lengthwise.eval.statistics;

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
   * Of 0 and 1 the mean of two draws is 0, 1/2 and 1 with the chances 1/4, 1/2 and 1/4; what it is
   * away from 1/2 is stretched by the root of 2 and by the quantiles of Student's t with one degree
   * of freedom over those of the normal distribution: 12.7062 over 1.95996, and at 55 % 1.17085
   * over 0.75542.
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

  /** The variance of the bootstrap mean is the values' variance over N: here 1/4 over 400. */
  @Test
  void manyTokensHaveTheNormalInterval() {
    double[] values = IntStream.range(0, 400).mapToDouble(i -> i % 2).toArray();
    Interval interval = estimate(BOOTSTRAP, seed(1, values)).interval();
    assertThat(interval.low()).isCloseTo(0.5 - 1.96 * 0.025, within(0.003));
    assertThat(interval.high()).isCloseTo(0.5 + 1.96 * 0.025, within(0.003));
  }

  /** Tokens that are all alike leave Student's t: its 97.5 % quantile for two degrees is 4.3027. */
  @Test
  void threeSeedsHaveStudentsInterval() {
    Scores scores = seeds(new double[] {1, 1}, new double[] {2, 2}, new double[] {3, 3});
    Estimate estimate = estimate(new Bootstrap(200_000, 0.95, 7), scores);
    assertThat(estimate.mean()).isEqualTo(2);
    assertThat(estimate.numSeeds()).isEqualTo(3);
    assertThat(estimate.interval().high() - 2).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
    assertThat(2 - estimate.interval().low()).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
  }

  /** What the tokens of a window have in common counts once: the interval is wider. */
  @Test
  void aWindowIsDrawnAsOne() {
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
  void pairingFindsWhatTheSpreadOfTokensHides() {
    SplittableRandom random = new SplittableRandom(3);
    double[] hard = random.doubles(200, 0, 8).toArray();
    double[] harder = IntStream.range(0, 200).mapToDouble(i -> hard[i] + 0.05).toArray();
    Scores one = seed(1, hard);
    Scores other = seed(1, harder);
    assertThat(estimate(BOOTSTRAP, one).interval().contains(other.mean())).isTrue();
    Estimate difference = estimate(BOOTSTRAP, other.minus(one).orElseThrow());
    assertThat(difference.isDistinguishable()).isTrue();
    assertThat(difference.mean()).isCloseTo(0.05, within(1e-12));
  }

  /**
   * Made-up experiments whose true mean is 0: each seed moves all its tokens, each token is as hard
   * under every seed, and both meet in noise. Of the intervals 95 % should hold 0; with 400 trials
   * three standard deviations are 3.3 points.
   */
  @Test
  void threeSeedsAndSkewedTokensAreCoveredAsOftenAsPromised() {
    assertCovered(BootstrapTest::experiment);
  }

  /**
   * The same for one seed and 20 windows that end anywhere, each of them easier or harder as a
   * whole: all that is known is what 20 numbers show, however many tokens were scored.
   */
  @Test
  void twentyWindowsAreCoveredAsOftenAsPromised() {
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

  @Test
  void quantilesAreLinearBetweenTheOrderStatistics() {
    double[] rising = {1, 2, 4};
    assertThat(Bootstrap.quantile(rising, 0)).isEqualTo(1);
    assertThat(Bootstrap.quantile(rising, 0.75)).isEqualTo(3);
    assertThat(Bootstrap.quantile(rising, 1)).isEqualTo(4);
  }

  @Test
  void refusesImpossibleSettings() {
    assertThatThrownBy(() -> new Bootstrap(0, 0.95, 1)).hasMessageContaining("resamples");
    assertThatThrownBy(() -> new Bootstrap(10, 1, 1)).hasMessageContaining("confidence");
  }
}
