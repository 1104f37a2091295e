package org.lengthwise.positional;

import java.util.List;

/**
 * Learned absolute positions: a vector for each position is added to the token's embedding. There
 * are as many as the table has rows, so this scheme cannot run beyond, let alone extrapolate; and
 * rows beyond the training length keep their random first values.
 *
 * <p>First values: N(0, 0.02), as GPT-2 has them.
 *
 * <p>Source: Radford et al., "Language Models are Unsupervised Multitask Learners", 2019; Gehring
 * et al., "Convolutional Sequence to Sequence Learning", ICML 2017.
 *
 * @param positions the rows of the table, at least 1
 */
public record Learned(int positions) implements PositionalScheme {
  static final String NAME = "learned";

  /** Checks the values. */
  public Learned {
    if (positions < 1) {
      throw new IllegalArgumentException("positions: expected at least 1, found " + positions);
    }
  }

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "wpe.weight",
            List.of(positions, width),
            PositionalParameter.Scope.EMBEDDING,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE));
  }

  @Override
  public long longestLength() {
    return positions;
  }

  @Override
  public double[] embed(double[] token_d, PositionalValues values, long position) {
    double[] embedded_d = new double[token_d.length];
    for (int i = 0; i < embedded_d.length; i++) {
      int index = Math.toIntExact(position * token_d.length + i);
      embedded_d[i] = token_d[i] + values.at("wpe.weight", index);
    }
    return embedded_d;
  }
}
