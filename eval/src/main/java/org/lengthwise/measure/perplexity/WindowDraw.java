package org.lengthwise.measure.perplexity;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;

/**
 * Draws the windows of a protocol: different offsets of its grid, uniformly, each with room for the
 * whole sample before it. Data, lengths, protocol and seed alone decide the windows, so they are
 * the same for every model.
 */
record WindowDraw(Segments segments, int longest, long seed) {

  /**
   * {@return the windows of a length, in the order of the text}
   *
   * @param length T_ex, at most the longest
   * @throws DataFormatException if the grid has too few offsets
   */
  ScoredWindows windows(ProtocolConfig protocol, int length) {
    int windows = protocol.windowsPerSample(longest, length);
    long stride = length - 1L;
    long[] ends =
        Arrays.stream(sampleEnds(protocol, length))
            .flatMap(end -> LongStream.range(0, windows).map(w -> end - (windows - 1 - w) * stride))
            .toArray();
    return new ScoredWindows(length, protocol.scored(length), ends);
  }

  private long[] sampleEnds(ProtocolConfig protocol, int length) {
    int sampleLength = protocol.sampleLength(longest, length);
    SampleGrid grid = new SampleGrid(segments, sampleLength, protocol.stride(longest));
    requireEnough(protocol, sampleLength, grid.count());
    Random random = new RandomStreams(seed).stream(protocol.randomStream(length));
    Set<Long> drawn = new LinkedHashSet<>();
    while (drawn.size() < protocol.samples()) {
      drawn.add(random.nextLong(grid.count()));
    }
    return drawn.stream().mapToLong(grid::offset).sorted().toArray();
  }

  private void requireEnough(ProtocolConfig protocol, int sampleLength, long found) {
    if (found >= protocol.samples()) {
      return;
    }
    String name = protocol.protocol().label();
    if (segments.areDocuments()) {
      throw new DataFormatException(
          "test split",
          "at least %s samples where one document holds %s tokens, for the protocol %s"
              .formatted(Count.of(protocol.samples()), Count.of(sampleLength), name),
          "%s such samples in %s of %s documents"
              .formatted(Count.of(found), segments.countOf(sampleLength), segments.count()),
          "request fewer samples or shorter lengths, prepare more long documents, or let windows"
              + " cross document boundaries");
    }
    throw new DataFormatException(
        "test split",
        "at least %s tokens, for %s samples with %s tokens before each, for the protocol %s"
            .formatted(
                sampleLength + (protocol.samples() - 1L) * protocol.stride(longest),
                protocol.samples(),
                sampleLength - 1,
                name),
        segments.numTokens(0) + " tokens",
        "prepare more text, raise split.test, or request fewer samples or shorter lengths");
  }

  /**
   * The offsets at which a sample can end: in each segment the first offset that has room for the
   * whole sample, and every further offset at a fixed stride.
   */
  private static final class SampleGrid {
    private final Segments segments;
    private final int sampleLength;
    private final int stride;

    /** Element i is the number of grid points in the segments before i; the last is their total. */
    private final long[] before;

    SampleGrid(Segments segments, int sampleLength, int stride) {
      this.segments = segments;
      this.sampleLength = sampleLength;
      this.stride = stride;
      this.before = new long[segments.count() + 1];
      for (int i = 0; i < segments.count(); i++) {
        long spare = segments.numTokens(i) - sampleLength;
        before[i + 1] = before[i] + (spare < 0 ? 0 : spare / stride + 1);
      }
    }

    long count() {
      return before[segments.count()];
    }

    /** The offset of a grid point, from 0 to {@link #count()} - 1 in the order of the text. */
    long offset(long point) {
      int found = Arrays.binarySearch(before, point);
      int segment = found >= 0 ? found : -found - 2;
      while (before[segment + 1] == before[segment]) {
        segment++; // a segment without grid points has the same number as the next one
      }
      return segments.start(segment) + sampleLength - 1 + (point - before[segment]) * stride;
    }
  }
}
