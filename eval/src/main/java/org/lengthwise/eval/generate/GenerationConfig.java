package org.lengthwise.eval.generate;

import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How text is generated.
 *
 * @param tokens how many tokens at most
 * @param context how many of the latest tokens the model reads at most
 * @param sampler how a token is drawn
 * @param seed the seed of the draws
 * @param positionScaling how positions beyond the training length are scaled
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record GenerationConfig(
    int tokens,
    int context,
    Sampler sampler,
    long seed,
    PositionScaling positionScaling,
    Precision precision,
    String device) {

  /** Checks the values. */
  public GenerationConfig {
    if (tokens < 1) {
      throw new IllegalArgumentException("tokens: expected at least 1, found " + tokens);
    }
    if (context < 1) {
      throw new IllegalArgumentException("context: expected at least 1, found " + context);
    }
  }
}
