package org.lengthwise.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScoresTest {
  private static Scores scores(long seed, long[] targets, double... values) {
    return Scores.of(seed, targets, values);
  }

  @Test
  void rowsAreMatchedByTargetAndNotByIndex() {
    Scores one = scores(1, new long[] {30, 10, 20}, 3, 1, 2);
    Scores other = scores(1, new long[] {20, 40, 30}, 20, 40, 30);
    Scores differences = other.minus(one).orElseThrow();
    assertThat(differences.numTokens()).isEqualTo(2);
    assertThat(differences.mean()).isCloseTo((18 + 27) / 2.0, within(1e-12));
  }

  @Test
  void aTargetDrawnTwiceIsMatchedTwice() {
    Scores one = scores(1, new long[] {7, 7, 9}, 1, 1, 5);
    assertThat(one.minus(one).orElseThrow().numTokens()).isEqualTo(3);
    assertThat(one.mean()).isCloseTo(7 / 3.0, within(1e-12));
  }

  @Test
  void differencesAreWithinASeed() {
    Scores first =
        Scores.together(List.of(scores(1, new long[] {5}, 1), scores(2, new long[] {5}, 10)))
            .orElseThrow();
    Scores second =
        Scores.together(List.of(scores(2, new long[] {5}, 11), scores(3, new long[] {5}, 100)))
            .orElseThrow();
    Scores differences = second.minus(first).orElseThrow();
    assertThat(differences.seeds()).containsExactly(2L);
    assertThat(differences.mean()).isEqualTo(1);
  }

  @Test
  void scoresWithoutACommonTargetHaveNoDifference() {
    Scores one = scores(1, new long[] {5}, 1);
    assertThat(one.minus(scores(2, new long[] {5}, 1))).isEmpty();
    assertThat(one.minus(scores(1, new long[] {6}, 1))).isEmpty();
    assertThat(Scores.together(List.of(one, scores(2, new long[] {6}, 1)))).isEmpty();
  }

  /** The means 1, 2 and 6 have the variance 7 with two degrees of freedom. */
  @Test
  void theStandardErrorOverSeedsIsComputedFromTheirMeans() {
    long[] targets = {1, 2};
    Scores scores =
        Scores.together(
                List.of(
                    scores(1, targets, 0, 2), scores(2, targets, 2, 2), scores(3, targets, 5, 7)))
            .orElseThrow();
    assertThat(scores.meanOfSeeds()).containsExactly(1, 2, 6);
    assertThat(scores.standardErrorOverSeeds()).isCloseTo(Math.sqrt(7 / 3.0), within(1e-12));
    assertThat(scores(1, targets, 0, 2).standardErrorOverSeeds()).isZero();
  }

  /** The sample standard deviation of 1, 2 and 6 is the root of 7. */
  @Test
  void theStandardErrorOverTokensIsTheTextbookValue() {
    assertThat(scores(1, new long[] {1, 2, 3}, 1, 2, 6).standardErrorOverUnits())
        .hasValueCloseTo(Math.sqrt(7 / 3.0), within(1e-12));
    assertThat(scores(1, new long[] {1}, 3).standardErrorOverUnits()).isEmpty();
  }

  /**
   * Two units of three and one tokens have the sums 6 and 10, so the mean is 4. The sums are -6 and
   * +6 away from 4 times their tokens: the error is the root of 2 (36 + 36), over 4 tokens.
   */
  @Test
  void theStandardErrorOverUnitsIsThatOfARatio() {
    Scores two = Scores.ofWindows(1, new long[] {3, 8, 8, 9}, new double[] {1, 2, 3, 10}, 8);
    assertThat(two.standardErrorOverUnits()).hasValueCloseTo(3.0, within(1e-12));
    Scores one = Scores.ofWindows(1, new long[] {3, 8, 8}, new double[] {1, 2, 3}, 8);
    assertThat(one.standardErrorOverUnits()).isEmpty();
  }

  /** The ends 1 to 8 are in one stretch, 9 to 16 in the next. */
  @Test
  void windowsThatEndInOneStretchAreOneUnit() {
    Scores scores =
        Scores.ofWindows(1, new long[] {15, 8, 8, 9, 3}, new double[] {5, 1, 2, 4, 3}, 8);
    assertThat(scores.numUnits()).isEqualTo(2);
    assertThat(scores.numTokens()).isEqualTo(5);
    assertThat(scores.weights()).containsExactly(3, 2);
    assertThat(scores.sums()).containsExactly(6, 9);
    assertThat(scores.mean()).isEqualTo(3);
  }

  @Test
  void windowsOfOneStretchArePairedOneByOne() {
    Scores one = Scores.ofWindows(1, new long[] {3, 8, 15}, new double[] {1, 2, 3}, 8);
    Scores other = Scores.ofWindows(1, new long[] {8, 9, 15}, new double[] {20, 40, 30}, 8);
    Scores differences = other.minus(one).orElseThrow();
    assertThat(differences.numTokens()).isEqualTo(2);
    assertThat(differences.weights()).containsExactly(1, 1);
    assertThat(differences.sums()).containsExactly(18, 27);
  }

  @Test
  void rejectsUnequalNumbersOfRowsAndRepeatedSeeds() {
    assertThatThrownBy(() -> scores(1, new long[] {1, 2}, 1))
        .isInstanceOf(IllegalArgumentException.class);
    Scores one = scores(1, new long[] {1}, 1);
    assertThatThrownBy(() -> Scores.together(List.of(one, one)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }
}
