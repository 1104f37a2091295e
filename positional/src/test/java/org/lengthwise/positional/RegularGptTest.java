package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegularGptTest {

  @ParameterizedTest
  @CsvSource({
    "2,40,6",
    "2,500,9",
    "2,512,9",
    "2,8192,13",
    "3,40,4",
    "3,500,6",
    "32,512,2",
    "32,1024,2",
    "32,2048,3",
    "64,4096,2",
    "64,8192,3",
    "128,512,2",
    "128,8192,2",
    "256,512,2",
    "256,8192,2",
    "5,125,3",
    "128,34359738368,5",
    "2,1,1",
    "7,7,1",
    "7,8,2"
  })
  void depthIsTheCeilingOfTheLogarithm(int chunk, long length, int levels) {
    assertThat(new RegularGpt(chunk).levels(length)).isEqualTo(levels);
  }

  @Test
  void aFixedDepthBoundsTheReceptiveFieldAndUnsharedBlocksAreDividedAmongTheLevels() {
    RegularGpt shared = new RegularGpt(2, RegularGpt.Edge.PAD, 6, true);
    assertThat(shared.levels(500)).isEqualTo(6);
    assertThat(shared.receptiveField(1, 40)).isEqualTo(40);
    assertThat(shared.receptiveField(1, 500)).isEqualTo(64);
    assertThat(shared.firstRow(0, 1, 500)).isEqualTo(436);
    RegularGpt own = new RegularGpt(2, RegularGpt.Edge.PAD, 6, false);
    assertThat(own.blocksOfLevel(12)).isEqualTo(2);
    assertThat(own.receptiveField(12, 500)).isEqualTo(127);
    assertThatThrownBy(() -> own.blocksOfLevel(8)).hasMessageContaining("a multiple of");
    assertThatThrownBy(() -> new RegularGpt(2, RegularGpt.Edge.PAD, 0, false))
        .hasMessageContaining("share");
  }

  /** A level makes one row of each window of C rows, until one row is left. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void oneRowIsLeftAfterAllLevelsAndNotBefore(int chunk) {
    RegularGpt scheme = new RegularGpt(chunk);
    for (int length = 1; length <= 1000; length++) {
      int rows = length;
      int level = 0;
      do {
        assertThat(scheme.rowsForLast(level, length)).isEqualTo(rows);
        rows = (rows + chunk - 1) / chunk;
        level++;
      } while (rows > 1);
      assertThat(scheme.levels(length)).as("T = %d", length).isEqualTo(level);
      assertThat(scheme.rowsForLast(level, length)).isEqualTo(1);
    }
  }

  @Test
  void resultsAreKeptUntilALevelIsAdded() {
    assertThat(
            LongStream.range(1, 100)
                .filter(length -> !new RegularGpt(3).lengths().keepsResults().test(length)))
        .containsExactly(3L, 9L, 27L, 81L);
  }

  @Test
  void queriesSeeMultiplesOfTheDilationInsideTheirWindow() {
    PositionalValues values = new PositionalValues(1, 1, Map.of("r", new double[] {0, 5, 7}));
    RegularGpt scheme = new RegularGpt(3);
    assertThat(scheme.bias(values, 0, 1, 20, 0)).isZero();
    assertThat(scheme.bias(values, 0, 1, 20, 3)).isEqualTo(5);
    assertThat(scheme.bias(values, 0, 1, 20, 6)).isEqualTo(7);
    assertThat(scheme.bias(values, 0, 1, 20, 9)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(scheme.bias(values, 0, 1, 20, 4)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void afterAllLevelsTheLastPositionHasSeenEverything() {
    for (int length : new int[] {1, 2, 8, 9, 37, 81, 82}) {
      RegularGpt scheme = new RegularGpt(3);
      boolean[] seen = new boolean[length];
      seen[length - 1] = true;
      for (int level = scheme.levels(length) - 1; level >= 0; level--) {
        long dilation = scheme.dilation(level);
        for (int m = 0; m < length; m++) { // keys lie left of their query, so ascending is safe
          for (long n = m; seen[m] && n >= 0 && n > m - 3 * dilation; n -= dilation) {
            seen[(int) n] = true;
          }
        }
      }
      assertThat(seen).doesNotContain(false);
    }
  }

  @Test
  void invalidChunksAreRejected() {
    assertThatThrownBy(() -> new RegularGpt(1)).hasMessageContaining("chunk");
  }

  @Test
  void rangeOfAHeadIsItsLargestBiasMinusItsSmallest() {
    float[] r = {1, 0, 3, 5, 2, -1}; // two heads with a chunk of three keys
    assertThat(new RegularGpt(3).parameters(2, 8).get(0).table().orElseThrow().ranges(r, 2))
        .containsExactly(3, 6);
  }
}
