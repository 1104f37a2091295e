package org.lengthwise.training.model;

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

  /** Checks the values. */
  public ModelConfig {
    requirePositive("layers", layers);
    requirePositive("width", width);
    requirePositive("heads", heads);
    requirePositive("vocabulary", vocabulary);
    if (width % heads != 0) {
      throw new IllegalArgumentException(
          "heads: expected a divisor of width " + width + ", found " + heads);
    }
    position.requireShape(layers, heads, width);
  }

  private static void requirePositive(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + ": expected at least 1, found " + value);
    }
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
   * The same model with another scheme that has the same learnable numbers.
   *
   * @param scheme the scheme, such as one {@linkplain PositionalScheme#scaled scaled} at test time
   * @return the model's shape
   */
  public ModelConfig with(PositionalScheme scheme) {
    return new ModelConfig(layers, width, heads, vocabulary, scheme);
  }

  /**
   * How many blocks a sequence passes through.
   *
   * @param length T
   * @return K L
   */
  public int executedLayers(long length) {
    return layers * position.levels(length);
  }

  /**
   * The number of learnable numbers.
   *
   * @return the sum of all tensors' sizes, the tied output projection counted once
   */
  public long numParameters() {
    return ParameterLayout.of(this).stream().mapToLong(ParameterSpec::size).sum();
  }

  /**
   * The number of learnable numbers in one block, without those of the positional scheme.
   *
   * @return 12 d² + 13 d
   */
  public long numBlockParameters() {
    return 12L * width * width + 13L * width;
  }

  /**
   * Floating-point operations of one training token, forward and backward, by the usual estimate: 6
   * N + 12 layers d T, with N the executed block parameters and the output projection.
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
