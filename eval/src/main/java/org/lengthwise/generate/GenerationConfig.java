package org.lengthwise.generate;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.Bos;

/**
 * How text is generated.
 *
 * @param tokens the largest number of generated tokens
 * @param context the largest number of latest tokens that the model reads; beyond it, from half to
 *     all of them
 * @param sampler how a token is sampled
 * @param seed the seed of the sampling
 * @param positionScaling how positions beyond the training length are scaled: {@code none}, {@code
 *     interpolation}, {@code ntk} or {@code yarn}, or with a fixed factor {@code yarn:4} or {@code
 *     dynamic:4}
 * @param temperature what scores are multiplied by: {@code none}, {@code log-length}, {@code log}
 *     or {@code floor}, or with an offset {@code log:100}, not the one of the sampler
 * @param bos whether the prompt begins with BOS, for models that were trained so
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record GenerationConfig(
    @Unit("tokens") int tokens,
    @Unit("tokens") int context,
    Sampler sampler,
    long seed,
    PositionScaling positionScaling,
    @AbsentMeans("\"none\"") TestTemperature temperature,
    @AbsentMeans("\"auto\"") Bos bos,
    Precision precision,
    String device) {

  public GenerationConfig {
    Checks.atLeast("tokens", tokens, 1);
    Checks.atLeast("context", context, 1);
  }

  public PositionChange change() {
    return new PositionChange(positionScaling, temperature);
  }
}
