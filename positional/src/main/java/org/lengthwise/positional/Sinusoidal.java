package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.config.Checks;

/**
 * Sinusoidal absolute positions: the token's embedding is multiplied by sqrt(d), and sines and
 * cosines of the position are added.
 *
 * <p>Component 2i is sin(m / 10000<sup>2i/d</sup>), component 2i + 1 is the cosine of the same
 * angle. The first values of token embeddings are N(0, 1 / sqrt(d)), so that a token, once it is
 * multiplied, has the size of the sines that are added to it. Every position has an embedding, but
 * a model has never seen embeddings of positions beyond its training length.
 *
 * <p>Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017, sections 3.4 and 3.5.
 */
@JsonTypeName("sinusoidal")
public record Sinusoidal() implements PositionalScheme {
  private static final double BASE = 10_000;

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.noBias(this);
  }

  @Override
  public Reach reach() {
    return Reach.BOTH_SIDES;
  }

  @Override
  public PositionTable positionTable() {
    return PositionTable.SINUSOIDAL;
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    Checks.require(
        width % 2 == 0, "model.width", "an even width, because sines and cosines alternate", width);
  }

  /**
   * {@return the angles in radians by which each of the d/2 pairs of components advances from one
   * position to the next}
   */
  public static double[] frequencies(int width) {
    double[] frequencies = new double[width / 2];
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = Math.pow(BASE, -2.0 * i / width);
    }
    return frequencies;
  }
}
