package org.lengthwise.model;

import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionalScheme;

/**
 * The shape of a model.
 *
 * @param layers K, the number of distinct blocks
 * @param width d
 * @param heads H
 * @param vocabulary V
 * @param position the positional scheme
 */
public record ModelConfig(
    int layers, int width, int heads, int vocabulary, PositionalScheme position) {

  /** Requires positive numbers, and heads that divide the width. */
  public ModelConfig {
    Checks.atLeast("layers", layers, 1);
    Checks.atLeast("width", width, 1);
    Checks.atLeast("heads", heads, 1);
    Checks.atLeast("vocabulary", vocabulary, 1);
    Checks.require(width % heads == 0, "heads", "a divisor of width " + width, heads);
    position.requireShape(heads, width);
  }

  /**
   * The width of a head.
   *
   * @return D = d / H
   */
  public int headWidth() {
    return width / heads;
  }

  /**
   * This model with another scheme that has the same parameters.
   *
   * @param scheme the scheme, for example {@linkplain PositionalScheme#scaled scaled} at test time
   * @return the model's shape
   */
  public ModelConfig with(PositionalScheme scheme) {
    return new ModelConfig(layers, width, heads, vocabulary, scheme);
  }

  /**
   * The number of executed layers.
   *
   * @param length T
   * @return K L
   */
  public int executedLayers(long length) {
    return layers * position.levels(length);
  }

  /**
   * The number of parameters.
   *
   * @return the sum of all tensors' sizes; the tied output projection counts once
   */
  public long numParameters() {
    return ParameterLayout.of(this).stream().mapToLong(ParameterSpec::size).sum();
  }

  /**
   * The number of parameters in one block, without the positional scheme.
   *
   * @return 12 d² + 13 d
   */
  public long numBlockParameters() {
    return 12L * width * width + 13L * width;
  }

  /**
   * Floating-point operations of one training token, forward and backward. The usual estimate: 6 N
   * + 12 d T per executed layer, with N the executed block parameters plus the output projection.
   * Attention counts as dense, also where a window computes fewer scores.
   *
   * @param length T
   * @return operations per token
   */
  public double flopsPerToken(int length) {
    double executed = executedLayers(length);
    double parameters = executed * numBlockParameters() + (double) vocabulary * width;
    return 6 * parameters + 12 * executed * width * length;
  }
}
