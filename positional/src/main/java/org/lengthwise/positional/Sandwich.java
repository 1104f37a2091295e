package org.lengthwise.positional;

/**
 * Sandwich: the inner product of two sinusoidal position embeddings as a fixed bias, compressed
 * more in later heads.
 *
 * <p>bias = (1 / ratio<sub>h</sub>) sum over i = 0..D'/2-1 of (cos(delta / 10000<sup>2i/D'</sup>) -
 * 1), with ratio<sub>h</sub> = 8h/H, h = 1..H. The cosines are what the sines and cosines of m
 * times those of n come to; their sum decays about logarithmically. D', the paper's d-bar, is a
 * setting of its own and need not be the model's width; the paper takes 128.
 *
 * <p>The 1 taken off each cosine is not in the paper. It shifts all keys of a query alike, which
 * the softmax does not see, and makes the bias 0 at distance 0 instead of D'/2 / ratio<sub>h</sub>,
 * whose neighbours bfloat16 could not tell apart.
 *
 * <p>Source: Chi, Fan, Rudnicky and Ramadge, "Dissecting Transformer Length Extrapolation via the
 * Lens of Receptive Field Analysis", ACL 2023, section 5 and the listing in its appendix.
 *
 * @param dimension D', even
 */
public record Sandwich(int dimension) implements PositionalScheme {
  static final String NAME = "sandwich";

  /** Checks the values. */
  public Sandwich {
    if (dimension < 2 || dimension % 2 != 0) {
      throw new IllegalArgumentException(
          "dimension: expected an even number of at least 2, found " + dimension);
    }
  }

  @Override
  public String label() {
    return NAME;
  }

  /**
   * What the bias of a head is divided by.
   *
   * @param head h in 0..H-1
   * @param heads H
   * @return 8 (h + 1) / H
   */
  public static double compression(int head, int heads) {
    return 8.0 * (head + 1) / heads;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    double[] frequencies = Sinusoidal.frequencies(dimension);
    double sum = 0;
    for (int i = 0; i < frequencies.length; i++) {
      sum += Math.cos(distance * frequencies[i]) - 1;
    }
    return sum / compression(head, values.heads());
  }
}
