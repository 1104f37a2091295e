package org.lengthwise.eval.perplexity;

import java.util.List;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How checkpoints are measured.
 *
 * @param protocols how windows are placed and what is scored of them, each protocol once
 * @param seed the seed of the draw, the same for every model that is to be compared
 * @param withinDocument whether windows are taken only where one document is long enough for the
 *     longest of them; otherwise they run over document boundaries
 * @param positionScaling how positions beyond the training length are scaled, each once; schemes
 *     that have nothing to scale are measured once, as they are
 * @param memoryLimitMegabytes what the activations of one batch may take
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record EvaluationConfig(
    List<ProtocolConfig> protocols,
    long seed,
    boolean withinDocument,
    List<PositionScaling> positionScaling,
    int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Checks the values. */
  public EvaluationConfig {
    if (protocols.isEmpty()
        || protocols.stream().map(ProtocolConfig::protocol).distinct().count() < protocols.size()) {
      throw new IllegalArgumentException(
          "protocols: expected at least one, each once, found " + protocols);
    }
    protocols = List.copyOf(protocols);
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
        protocols, seed, withinDocument, List.of(scaling), memoryLimitMegabytes, precision, device);
  }

  /**
   * The same with another number of places under every protocol.
   *
   * @param chunks how many
   * @return the configuration
   */
  public EvaluationConfig withChunks(int chunks) {
    return new EvaluationConfig(
        protocols.stream().map(protocol -> protocol.withChunks(chunks)).toList(),
        seed,
        withinDocument,
        positionScaling,
        memoryLimitMegabytes,
        precision,
        device);
  }
}
