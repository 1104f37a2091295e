package org.lengthwise.positional;

/**
 * Sinusoidal absolute positions: sines and cosines of the position are added to the token's
 * embedding, which is first multiplied by sqrt(d).
 *
 * <p>Component 2i is sin(m / 10000<sup>2i/d</sup>), component 2i + 1 the cosine of the same. Any
 * position has an embedding, but those beyond the training length are new to the model.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, sections 3.4 and 3.5.
 */
public record Sinusoidal() implements PositionalScheme {
  static final String NAME = "sinusoidal";
  private static final double BASE = 10_000;

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public void requireShape(int layers, int heads, int width) {
    if (width % 2 != 0) {
      throw new IllegalArgumentException(
          "model width must be even, for sines and cosines take turns, found " + width);
    }
  }

  /**
   * The angle by which each pair of components advances from one position to the next.
   *
   * @param width d, even
   * @return d/2 angles in radians
   */
  public static double[] frequencies(int width) {
    double[] frequencies = new double[width / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = Math.pow(BASE, -2.0 * i / width);
    }
    return frequencies;
  }

  @Override
  public double[] embed(double[] token_d, PositionalValues values, long position) {
    double[] frequencies = frequencies(token_d.length);
    double[] embedded_d = new double[token_d.length];
    for (int i = 0; i < frequencies.length; i++) {
      double angle = position * frequencies[i];
      embedded_d[2 * i] = Math.sqrt(token_d.length) * token_d[2 * i] + Math.sin(angle);
      embedded_d[2 * i + 1] = Math.sqrt(token_d.length) * token_d[2 * i + 1] + Math.cos(angle);
    }
    return embedded_d;
  }
}
