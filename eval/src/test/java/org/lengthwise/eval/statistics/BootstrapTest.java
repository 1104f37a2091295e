package org.lengthwise.eval.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
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

  /** Of 0 and 1 the mean of two draws is 0, 1/2 and 1 with the chances 1/4, 1/2 and 1/4. */
  @Test
  void twoTokensHaveTheBinomialDistribution() {
    Scores scores = seed(1, 0, 1);
    assertThat(BOOTSTRAP.estimate(scores).interval()).isEqualTo(new Interval(0, 1));
    assertThat(new Bootstrap(20_000, 0.45, 7).estimate(scores).interval())
        .isEqualTo(new Interval(0.5, 0.5));
    assertThat(new Bootstrap(20_000, 0.55, 7).estimate(scores).interval())
        .isEqualTo(new Interval(0, 1));
  }

  /** The variance of the bootstrap mean is the values' variance over N: here 1/4 over 400. */
  @Test
  void manyTokensHaveTheNormalInterval() {
    double[] values = IntStream.range(0, 400).mapToDouble(i -> i % 2).toArray();
    Interval interval = BOOTSTRAP.estimate(seed(1, values)).interval();
    assertThat(interval.low()).isCloseTo(0.5 - 1.96 * 0.025, within(0.003));
    assertThat(interval.high()).isCloseTo(0.5 + 1.96 * 0.025, within(0.003));
  }

  /** Tokens that are all alike leave Student's t: its 97.5 % quantile for two degrees is 4.3027. */
  @Test
  void threeSeedsHaveStudentsInterval() {
    Scores scores = seeds(new double[] {1, 1}, new double[] {2, 2}, new double[] {3, 3});
    Estimate estimate = new Bootstrap(200_000, 0.95, 7).estimate(scores);
    assertThat(estimate.mean()).isEqualTo(2);
    assertThat(estimate.numSeeds()).isEqualTo(3);
    assertThat(estimate.interval().high() - 2).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
    assertThat(2 - estimate.interval().low()).isCloseTo(4.3027 / Math.sqrt(3), within(0.06));
  }

  /** What every token has in common with its neighbour counts once: the interval is wider. */
  @Test
  void stretchesAreDrawnAsOne() {
    double[] values = IntStream.range(0, 800).mapToDouble(i -> (i / 4) % 2).toArray();
    long[] targets = LongStream.range(0, values.length).toArray();
    Interval tokens = BOOTSTRAP.estimate(Scores.of(1, targets, values)).interval();
    Interval stretches = BOOTSTRAP.estimate(Scores.inStretches(1, targets, values, 4)).interval();
    assertThat((stretches.high() - stretches.low()) / (tokens.high() - tokens.low()))
        .isCloseTo(2, within(0.1));
  }

  @Test
  void theSameSeedGivesTheSameInterval() {
    Scores scores = seed(1, 3, 1, 4, 1, 5);
    assertThat(BOOTSTRAP.estimate(scores)).isEqualTo(BOOTSTRAP.estimate(scores));
  }

  @Test
  void pairingFindsWhatTheSpreadOfTokensHides() {
    SplittableRandom random = new SplittableRandom(3);
    double[] hard = random.doubles(200, 0, 8).toArray();
    double[] harder = IntStream.range(0, 200).mapToDouble(i -> hard[i] + 0.05).toArray();
    Scores one = seed(1, hard);
    Scores other = seed(1, harder);
    assertThat(BOOTSTRAP.estimate(one).interval().contains(other.mean())).isTrue();
    Estimate difference = BOOTSTRAP.estimate(other.minus(one).orElseThrow());
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
    SplittableRandom random = new SplittableRandom(SEED);
    Bootstrap small = new Bootstrap(400, 0.95, 5);
    int trials = 400;
    long covered =
        IntStream.range(0, trials)
            .filter(trial -> small.estimate(experiment(random)).interval().contains(0))
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
