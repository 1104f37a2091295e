package org.lengthwise.eval.perplexity;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.training.RandomStreams;

/**
 * Draws the tokens that are scored: distinct offsets in the test split, uniformly, each with room
 * for its whole context before it.
 *
 * @param numTokens the split's tokens
 * @param longest the longest T_ex of the evaluation
 * @param config the protocol, the number of targets and the seed
 */
public record TargetDraw(long numTokens, int longest, EvaluationConfig config) {

  /** Checks the values. */
  public TargetDraw {
    long candidates = numTokens - longest + 1;
    if (candidates < config.chunks()) {
      throw new DataFormatException(
          "test split",
          "at least %d tokens, for %d targets with %d tokens before each"
              .formatted(config.chunks() + longest - 1L, config.chunks(), longest - 1),
          numTokens + " tokens",
          "prepare more text, raise split.test, or ask for fewer chunks or shorter lengths");
    }
  }

  /**
   * The targets of a length.
   *
   * @param length T_ex, at most the longest
   * @return offsets in ascending order; under {@code aligned} the same at every length
   */
  public long[] targets(int length) {
    return switch (config.protocol()) {
      case ALIGNED -> draw("targets/aligned", longest);
      case INDEPENDENT -> draw("targets/independent/" + length, length);
    };
  }

  private long[] draw(String stream, int context) {
    Random random = new RandomStreams(config.seed()).stream(stream);
    Set<Long> drawn = new LinkedHashSet<>();
    while (drawn.size() < config.chunks()) {
      drawn.add(context - 1 + random.nextLong(numTokens - context + 1));
    }
    long[] targets = drawn.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(targets);
    return targets;
  }
}
