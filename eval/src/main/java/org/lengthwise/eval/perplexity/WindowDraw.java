package org.lengthwise.eval.perplexity;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.eval.result.Protocol;
import org.lengthwise.training.RandomStreams;

/**
 * Draws the windows of a protocol: distinct places of its grid, uniformly, each with room for its
 * whole context before it. Nothing but the data, the lengths, the protocol and the seed decides
 * them, so they are the same for every model.
 *
 * @param stretches what a window must not leave
 * @param longest the longest T_ex of the evaluation
 * @param seed the seed of the draw
 */
record WindowDraw(Stretches stretches, int longest, long seed) {

  /**
   * The windows of a length.
   *
   * @param config the protocol
   * @param length T_ex, at most the longest
   * @return the windows in the order of the text
   * @throws DataFormatException if there are too few places
   */
  ScoredWindows windows(ProtocolConfig config, int length) {
    long[] ends =
        config.protocol() == Protocol.INDEPENDENT
            ? draw(config, "targets/independent/" + length, length)
            : draw(config, "targets/aligned", longest);
    if (config.protocol() == Protocol.NON_OVERLAPPING) {
      ends = sideBySide(ends, length);
    }
    return new ScoredWindows(length, config.scored(length), ends);
  }

  private long[] draw(ProtocolConfig config, String stream, int chunk) {
    Places places = new Places(stretches, chunk, config.step(chunk));
    requireEnough(config, chunk, places.count());
    Random random = new RandomStreams(seed).stream(stream);
    Set<Long> drawn = new LinkedHashSet<>();
    while (drawn.size() < config.chunks()) {
      drawn.add(random.nextLong(places.count()));
    }
    return drawn.stream().mapToLong(places::offset).sorted().toArray();
  }

  /** As many windows as a chunk of the longest length holds, counted from its end. */
  private long[] sideBySide(long[] chunkEnds, int length) {
    int apart = length - 1;
    int windows = (longest - 1) / apart;
    return Arrays.stream(chunkEnds)
        .flatMap(
            end -> LongStream.range(0, windows).map(w -> end - (windows - 1 - w) * (long) apart))
        .toArray();
  }

  private void requireEnough(ProtocolConfig config, int chunk, long found) {
    if (found >= config.chunks()) {
      return;
    }
    String name = config.protocol().label();
    if (stretches.areDocuments()) {
      throw new DataFormatException(
          "test split",
          "at least %,d places where one document holds %,d tokens, for the protocol %s"
              .formatted(config.chunks(), chunk, name),
          "%,d such places in %,d of %,d documents"
              .formatted(found, stretches.countOf(chunk), stretches.count()),
          "ask for fewer chunks or shorter lengths, prepare more long documents, or let contexts"
              + " run over document boundaries");
    }
    throw new DataFormatException(
        "test split",
        "at least %d tokens, for %d places with %d tokens before each, for the protocol %s"
            .formatted(
                chunk + (config.chunks() - 1L) * config.step(chunk),
                config.chunks(),
                chunk - 1,
                name),
        stretches.numTokens(0) + " tokens",
        "prepare more text, raise split.test, or ask for fewer chunks or shorter lengths");
  }
}
