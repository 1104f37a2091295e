package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RandomizedTest {
  private static final Randomized BY_POSITION = new Randomized(16, new Rope(100));
  private static final Randomized BY_DISTANCE = new Randomized(16, new Alibi());

  private static int[] sample(PositionalScheme scheme, long seed, int length) {
    return scheme.sample(seed, length).orElseThrow().numbers();
  }

  /** With 15 degrees of freedom, a fair draw exceeds 37.7 once in 1,000 tests. */
  @Test
  void samplesAreSortedDifferentAndUniform() {
    Random seeds = new Random(1);
    int[] counts = new int[16];
    for (int i = 0; i < 10_000; i++) {
      int[] numbers = sample(BY_POSITION, seeds.nextLong(), 8);
      assertThat(Arrays.stream(numbers).distinct().sorted().toArray()).isEqualTo(numbers);
      Arrays.stream(numbers).forEach(number -> counts[number]++);
    }
    double chiSquare =
        Arrays.stream(counts).mapToDouble(count -> Math.pow(count - 5_000, 2) / 2_500).sum();
    // Draws without repetition have negative correlations, hence the factor (L - 1) / L
    assertThat(chiSquare * 15 / 16).isLessThan(37.7);
  }

  @Test
  void distancesBeginWithZeroAndTheOthersAreUniform() {
    Random seeds = new Random(2);
    int[] counts = new int[16];
    for (int i = 0; i < 10_000; i++) {
      int[] numbers = sample(BY_DISTANCE, seeds.nextLong(), 8);
      assertThat(numbers).isSorted().doesNotHaveDuplicates().hasSize(8).startsWith(0);
      Arrays.stream(numbers).skip(1).forEach(number -> counts[number]++);
    }
    for (int number = 1; number < 16; number++) { // five deviations
      assertThat((double) counts[number])
          .isBetween(10_000 * 7 / 15.0 - 250, 10_000 * 7 / 15.0 + 250);
    }
  }

  @Test
  void aSampleDependsOnSeedAndLengthAlone() {
    assertThat(sample(BY_POSITION, 7, 8)).isEqualTo(sample(BY_POSITION, 7, 8));
    assertThat(sample(BY_POSITION, 7, 8)).isNotEqualTo(sample(BY_POSITION, 8, 8));
    assertThat(Arrays.copyOf(sample(BY_POSITION, 7, 9), 8)).isNotEqualTo(sample(BY_POSITION, 7, 8));
    assertThat(sample(BY_POSITION, 7, 16)).hasSize(16).startsWith(0).endsWith(15);
    assertThatThrownBy(() -> BY_POSITION.sample(7, 17)).hasMessageContaining("at most 16");
    assertThat(new Rope(100).sample(7, 8)).isEmpty();
  }

  @Test
  void aListAndATemperatureDrawWhatTheirPartDraws() {
    Layers list = new Layers(List.of(new NoPosition(), BY_DISTANCE));
    assertThat(sample(list, 7, 8)).isEqualTo(sample(BY_DISTANCE, 7, 8));
    Tempered tempered = new Tempered(BY_DISTANCE, new Temperature(Temperature.Name.LOG));
    assertThat(sample(tempered, 7, 8)).isEqualTo(sample(BY_DISTANCE, 7, 8));
    assertThat(list.lengths().keepsResults().test(8)).isFalse();
    assertThat(list.lengths().longest()).isEqualTo(16);
  }

  @Test
  void answersDifferFromThoseOfTheInnerScheme() {
    assertThat(BY_POSITION.label()).isEqualTo("randomized-rope");
    assertThat(BY_POSITION.described().get(0)).startsWith("positions of rope").contains("0..15");
    assertThat(BY_DISTANCE.described().get(0)).startsWith("distances of alibi");
    assertThat(BY_POSITION.reach().hasLaterKeys()).isTrue();
    assertThat(new Randomized(16, new TransformerXl()).reach().hasLaterKeys()).isFalse();
    PositionScaling yarn = new PositionScaling(PositionScaling.Kind.YARN);
    assertThat(BY_POSITION.scaled(yarn, 8)).isEmpty();
    assertThat(BY_DISTANCE.attendsByDistance()).isFalse();
  }

  /** The table has an entry for 8 distances, and the range has 16. */
  @Test
  void aFormulaIsCheckedOverTheWholeRange() {
    Formula formula =
        Formulas.of("at(t, delta)", Map.of("t", Formulas.table(8, FormulaParameter.Per.SHARED)));
    assertThat(formula.trainedAt(8, 2, 8, 1).trainLength()).isEqualTo(8);
    assertThatThrownBy(() -> new Randomized(16, formula).trainedAt(8, 2, 8, 1))
        .hasMessageContaining("an index of `t` from 0 to 7");
    Randomized trained = (Randomized) new Randomized(8, formula).trainedAt(4, 2, 8, 1);
    assertThat(trained.of()).isEqualTo(formula.trainedAt(4, 2, 8, 1));
  }

  @Test
  void schemesWithoutATableOfAllPositionsAreRejectedWithTheReason() {
    List<PositionalScheme> others =
        List.of(
            new NoPosition(),
            new Fire(8),
            new RegularGpt(4),
            new SlidingWindow(4, SlidingWindow.Within.ALIBI),
            new Rope(100, 1, RopeScaling.none(), new LayerWindow(4, 0)),
            new Rope(100, 1, new RopeScaling.Dynamic(2, 8), null),
            new Cope(4, Cope.Scale.ONE),
            new Layers(List.of(new Rope(100))),
            new Tempered(new Rope(100), new Temperature(Temperature.Name.LOG)),
            BY_POSITION,
            Formulas.of("-delta", "delta < 4", Map.of()),
            Formulas.of("-delta / T", Map.of()),
            Formulas.of("-m", Map.of()));
    for (PositionalScheme other : others) {
      assertThatThrownBy(() -> new Randomized(16, other))
          .as(other.label())
          .hasMessageContaining("of: expected rope, learned, sinusoidal, transformer-xl or a bias")
          .hasMessageContaining("found " + other.label());
    }
    assertThatThrownBy(() -> new Randomized(16, new Learned(15)))
        .hasMessageContaining("length: expected at most the 15 positions of learned, found 16");
    assertThatThrownBy(() -> new Randomized(0, new Rope(100))).hasMessageContaining("length");
  }
}
