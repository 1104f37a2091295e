package org.lengthwise.eval.perplexity;

import org.lengthwise.eval.result.Protocol;
import org.lengthwise.positional.attention.Precision;

/**
 * How checkpoints are measured.
 *
 * @param protocol how target tokens are drawn
 * @param chunks how many of them for each length
 * @param seed the seed of the draw, the same for every model that is to be compared
 * @param memoryLimitMegabytes what the activations of one batch may take
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record EvaluationConfig(
    Protocol protocol,
    int chunks,
    long seed,
    int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Checks the values. */
  public EvaluationConfig {
    if (chunks < 1) {
      throw new IllegalArgumentException("chunks: expected at least 1, found " + chunks);
    }
    if (memoryLimitMegabytes < 1) {
      throw new IllegalArgumentException(
          "memory_limit_megabytes: expected at least 1, found " + memoryLimitMegabytes);
    }
  }
}
