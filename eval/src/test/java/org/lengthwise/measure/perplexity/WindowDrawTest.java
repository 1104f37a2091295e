package org.lengthwise.measure.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.perplexity.ProtocolConfig.Aligned;
import org.lengthwise.measure.perplexity.ProtocolConfig.ByPosition;
import org.lengthwise.measure.perplexity.ProtocolConfig.Independent;
import org.lengthwise.measure.perplexity.ProtocolConfig.NonOverlapping;
import org.lengthwise.measure.perplexity.ProtocolConfig.Sliding;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ScoredTargets;

class WindowDrawTest {

  private static WindowDraw draw(long numTokens, int longest) {
    return new WindowDraw(Segments.whole(numTokens), longest, 7);
  }

  private static ScoredTargets rows(ScoredWindows windows) {
    return windows.with(new double[windows.numTargets()]);
  }

  private static long[] targets(ScoredWindows windows) {
    ScoredTargets rows = rows(windows);
    return IntStream.range(0, rows.count()).mapToLong(rows::target).toArray();
  }

  private static long[] firstRead(ScoredWindows windows) {
    return IntStream.range(0, windows.count()).mapToLong(windows::start).toArray();
  }

  @Test
  void alignedTargetsAreTheSameAtEveryLength() {
    WindowDraw draw = draw(10_000, 2048);
    ScoredWindows windows = draw.windows(new Aligned(100), 128);
    assertThat(windows.scored()).isEqualTo(1);
    assertThat(targets(windows))
        .isEqualTo(targets(draw.windows(new Aligned(100), 2048)))
        .hasSize(100)
        .doesNotHaveDuplicates()
        .isSorted();
    assertThat(LongStream.of(targets(windows)).boxed())
        .allMatch(target -> target >= 2047 && target < 10_000);
  }

  /** The draw of format version 1, so that its results are paired with later results. */
  @Test
  void alignedTargetsAreThoseOfTheFirstFormatVersion() {
    Random random = new RandomStreams(7).stream("targets/aligned");
    Set<Long> expected = new HashSet<>();
    while (expected.size() < 100) {
      expected.add(2047 + random.nextLong(10_000 - 2048 + 1));
    }
    long[] found = targets(draw(10_000, 2048).windows(new Aligned(100), 128));
    assertThat(LongStream.of(found).boxed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void independentTargetsDifferAtEachLengthAndShortLengthsUseEarlierOffsets() {
    WindowDraw draw = draw(4000, 2048);
    long[] shortOnes = targets(draw.windows(new Independent(1000), 128));
    long[] longOnes = targets(draw.windows(new Independent(1000), 2048));
    assertThat(shortOnes).isNotEqualTo(longOnes).hasSize(1000);
    assertThat(LongStream.of(shortOnes).boxed()).anyMatch(target -> target < 2047);
    assertThat(LongStream.of(longOnes).boxed()).allMatch(target -> target >= 2047 && target < 4000);
  }

  @Test
  void theSeedDecidesTheSamples() {
    Segments segments = Segments.whole(10_000);
    long[] targets = targets(new WindowDraw(segments, 512, 7).windows(new Aligned(50), 512));
    assertThat(targets(new WindowDraw(segments, 512, 7).windows(new Aligned(50), 512)))
        .isEqualTo(targets);
    assertThat(targets(new WindowDraw(segments, 512, 8).windows(new Aligned(50), 512)))
        .isNotEqualTo(targets);
  }

  @Test
  void everyPossibleTargetCanBeDrawn() {
    assertThat(targets(draw(20, 11).windows(new Aligned(10), 11)))
        .containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
  }

  @Test
  void aSlidingWindowWithStrideOneIsAligned() {
    WindowDraw draw = draw(10_000, 512);
    for (int length : new int[] {2, 64, 512}) {
      ScoredWindows sliding = draw.windows(new Sliding(200, 1), length);
      ScoredWindows aligned = draw.windows(new Aligned(200), length);
      assertThat(targets(sliding)).isEqualTo(targets(aligned));
      assertThat(firstRead(sliding)).isEqualTo(firstRead(aligned));
    }
  }

  @Test
  void aSlidingWindowWithAllSamplesScoresEveryTokenOnce() {
    WindowDraw draw = draw(1000, 101);
    ScoredWindows all = draw.windows(new Sliding(90, 10), 101);
    assertThat(targets(all)).isEqualTo(LongStream.range(91, 991).toArray());
    assertThat(firstRead(all)).startsWith(0, 10, 20).endsWith(890);
    assertThat(targets(draw.windows(new Sliding(90, 10), 11))).isEqualTo(targets(all));
  }

  @Test
  void targetsOfSlidingWindowsHaveAtLeastTheLengthLessTheStrideAsContext() {
    ScoredTargets rows = rows(draw(5000, 512).windows(new Sliding(20, 32), 128));
    assertThat(rows.leastPosition()).isEqualTo(128 - 32);
    assertThat(rows.greatestPosition()).isEqualTo(127);
    assertThat(rows.target(1)).isEqualTo(rows.target(0) + 1);
    assertThat(rows.position(1)).isEqualTo(rows.position(0) + 1);
  }

  @Test
  void nonOverlappingWindowsReadNoTokenTwiceAndScoreAlmostAll() {
    WindowDraw draw = draw(3000, 513);
    for (int length : new int[] {2, 33, 129, 200, 513}) {
      ScoredWindows windows = draw.windows(new NonOverlapping(5), length);
      assertThat(windows.count()).isEqualTo(5 * (512 / (length - 1)));
      assertThat(targets(windows)).doesNotHaveDuplicates().isSorted();
      Set<Long> read = new HashSet<>();
      for (long start : firstRead(windows)) {
        for (int i = 0; i < length - 1; i++) {
          assertThat(read.add(start + i)).isTrue();
        }
      }
      assertThat(windows.numTargets()).isGreaterThan(5 * (512 - length));
    }
    assertThat(targets(draw.windows(new NonOverlapping(5), 129)))
        .isEqualTo(targets(draw.windows(new NonOverlapping(5), 513)));
  }

  @Test
  void windowsByPositionEndAtAlignedTargetsAndScoreEveryPosition() {
    WindowDraw draw = draw(10_000, 512);
    ScoredWindows windows = draw.windows(new ByPosition(30), 64);
    ScoredTargets rows = rows(windows);
    assertThat(windows.ends()).isEqualTo(targets(draw.windows(new Aligned(30), 512)));
    assertThat(targets(draw.windows(new Aligned(300), 64))).contains(windows.ends());
    assertThat(rows.count()).isEqualTo(30 * 63);
    assertThat(IntStream.range(0, 63).map(rows::position))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 63).boxed().toList());
    assertThat(rows.target(62)).isEqualTo(windows.ends()[0]);
    assertThat(rows.target(63)).isEqualTo(windows.ends()[1] - 62);
  }

  @Test
  void aSplitShorterThanTheLongestSampleIsRejected() {
    assertThatThrownBy(() -> draw(20, 11).windows(new Aligned(11), 4))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 21 tokens")
        .hasMessageContaining("found 20 tokens");
    assertThatThrownBy(() -> draw(99, 21).windows(new NonOverlapping(5), 4))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 101 tokens, for 5 samples with 20 tokens before each");
  }

  @Test
  void withinDocumentsTheGridStartsAgainInEachDocument() {
    WindowDraw draw = new WindowDraw(Segments.documents(IntStream.of(3, 7, 4, 4, 3, 10)), 5, 7);
    // Documents 1 and 5 hold 5 tokens: they span 3 to 9 and 21 to 30.
    assertThat(targets(draw.windows(new Aligned(9), 2)))
        .containsExactly(7, 8, 9, 25, 26, 27, 28, 29, 30);
    assertThat(draw.windows(new Sliding(5, 2), 5).ends()).containsExactly(7, 9, 25, 27, 29);
    assertThat(draw.windows(new NonOverlapping(3), 5).ends()).containsExactly(7, 25, 29);
  }

  @Test
  void tooFewLongDocumentsAreCounted() {
    Segments segments = Segments.documents(IntStream.of(3, 7, 4, 4, 3, 10));
    assertThatThrownBy(() -> new WindowDraw(segments, 5, 7).windows(new Aligned(10), 2))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 10 samples where one document holds 5 tokens")
        .hasMessageContaining("found 9 such samples in 2 of 6 documents");
    assertThatThrownBy(() -> new WindowDraw(segments, 11, 7).windows(new Aligned(1), 2))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("found 0 such samples in 0 of 6 documents");
  }

  @Test
  void noWindowLeavesItsDocument() {
    long seed = Long.getLong("lengthwise.test.seed", 11);
    int[] lengths = new Random(seed).ints(300, 1, 120).toArray();
    long[] ends = new long[lengths.length];
    Arrays.setAll(ends, i -> (i == 0 ? 0 : ends[i - 1]) + lengths[i]);
    WindowDraw draw = new WindowDraw(Segments.documents(IntStream.of(lengths)), 40, seed);
    for (ProtocolConfig protocol :
        List.of(
            new Aligned(200),
            new Independent(200),
            new Sliding(50, 8),
            new NonOverlapping(20),
            new ByPosition(50))) {
      for (int length : new int[] {9, 20, 40}) {
        ScoredWindows windows = draw.windows(protocol, length);
        for (int i = 0; i < windows.count(); i++) {
          assertThat(document(ends, windows.start(i)))
              .as("%s at %d, seed %d", protocol, length, seed)
              .isEqualTo(document(ends, windows.ends()[i]));
        }
      }
    }
  }

  private static long document(long[] ends, long offset) {
    return Arrays.stream(ends).filter(end -> end <= offset).count();
  }
}
