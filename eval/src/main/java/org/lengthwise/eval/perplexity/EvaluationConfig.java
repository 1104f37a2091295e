package org.lengthwise.eval.perplexity;

import java.util.List;
import org.lengthwise.eval.result.Protocol;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How checkpoints are measured.
 *
 * @param protocol how target tokens are drawn
 * @param chunks how many of them for each length
 * @param seed the seed of the draw, the same for every model that is to be compared
 * @param positionScaling how positions beyond the training length are scaled, each once; schemes
 *     that have nothing to scale are measured once, as they are
 * @param memoryLimitMegabytes what the activations of one batch may take
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record EvaluationConfig(
    Protocol protocol,
    int chunks,
    long seed,
    List<PositionScaling> positionScaling,
    int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Checks the values. */
  public EvaluationConfig {
    if (chunks < 1) {
      throw new IllegalArgumentException("chunks: expected at least 1, found " + chunks);
    }
    if (positionScaling.isEmpty()
        || positionScaling.stream().distinct().count() < positionScaling.size()) {
      throw new IllegalArgumentException(
          "position_scaling: expected at least one, each once, found " + positionScaling);
    }
    positionScaling = List.copyOf(positionScaling);
    if (memoryLimitMegabytes < 1) {
      throw new IllegalArgumentException(
          "memory_limit_megabytes: expected at least 1, found " + memoryLimitMegabytes);
    }
  }

  /**
   * The same under one scaling alone.
   *
   * @param scaling the scaling
   * @return the configuration
   */
  public EvaluationConfig with(PositionScaling scaling) {
    return new EvaluationConfig(
        protocol, chunks, seed, List.of(scaling), memoryLimitMegabytes, precision, device);
  }
}
