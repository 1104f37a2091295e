package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PowerRuleTest {
  private static final PowerRule RULE = new PowerRule(1.02, 0.8);

  private static Estimate pair(double overTargets, double overSeeds, int seeds) {
    return pair(overTargets, overSeeds, 1_000, seeds);
  }

  private static Estimate pair(double overTargets, double overSeeds, int units, int seeds) {
    return new Estimate(0, 1, new Interval(-1, 1), overTargets, overSeeds, units, units, seeds);
  }

  /** With one seed and 1,000 units 1.96234 + 0.84199 standard errors over targets are needed. */
  @Test
  void oneSeedHasTheSampleSizeOfTargets() {
    Estimate pair = pair(0.01, 0, 1);
    assertThat(RULE.smallestRatio(pair, 0.95)).isCloseTo(Math.exp(0.0280433), within(2e-6));
    double factor = Math.pow(0.0280433 / Math.log(1.02), 2);
    assertThat((double) RULE.targets(pair, 0.95).orElseThrow())
        .isCloseTo(1_000 * factor, within(6.0));
    assertThat(RULE.seeds(pair, 0.95)).isEmpty();
  }

  @Test
  void noNumberOfTargetsMakesUpForTheSpreadOverSeeds() {
    assertThat(RULE.targets(pair(0.001, 0.01, 3), 0.95)).isEmpty();
    assertThat(RULE.seeds(pair(0.02, 0.001, 3), 0.95)).isEmpty();
  }

  /**
   * With equal tokens and S seeds: (2.306 + 0.889) 0.01 sqrt(3 / S) is below ln 1.02 at 9, not at
   * 8.
   */
  @Test
  void moreSeedsHaveASmallerErrorAndAShorterTail() {
    assertThat(RULE.seeds(pair(0, 0.01, 3), 0.95)).hasValue(9);
  }

  /** Differences of exactly the smallest ratio have an interval without zero about as often. */
  @Test
  void theSmallestRatioIsFoundWithItsProbability() {
    assertThat(found(1, 6)).isCloseTo(0.8, within(0.06));
    assertThat(found(1, 100)).isCloseTo(0.8, within(0.06));
    assertThat(found(3, 100)).isCloseTo(0.8, within(0.09));
    assertThat(found(8, 100)).isCloseTo(0.8, within(0.06));
  }

  private static double found(int seeds, int tokens) {
    double overTokens = 1 / Math.sqrt(tokens);
    double overSeeds = seeds == 1 ? 0 : 0.1 / Math.sqrt(seeds);
    double shift = Math.log(RULE.smallestRatio(pair(overTokens, overSeeds, tokens, seeds), 0.95));
    SplittableRandom random = new SplittableRandom(5);
    Bootstrap bootstrap = new Bootstrap(400, 0.95, 7);
    int trials = 400;
    int found = 0;
    for (int i = 0; i < trials; i++) {
      double[] ofToken =
          IntStream.range(0, tokens).mapToDouble(t -> random.nextGaussian()).toArray();
      List<Scores> values =
          IntStream.range(0, seeds)
              .mapToObj(
                  seed -> {
                    double away = shift + (seeds == 1 ? 0 : 0.1 * random.nextGaussian());
                    double[] all = new double[tokens];
                    for (int t = 0; t < tokens; t++) {
                      all[t] = ofToken[t] + away;
                    }
                    return Scores.of(seed, LongStream.range(0, tokens).toArray(), all);
                  })
              .toList();
      Interval interval =
          bootstrap.estimate(Scores.together(values).orElseThrow()).orElseThrow().interval();
      found += interval.low() > 0 || interval.high() < 0 ? 1 : 0;
    }
    return (double) found / trials;
  }
}
