package org.lengthwise.positional;

/**
 * Schemes that turn queries and keys by an angle for each position, so that a score depends on
 * their distance alone.
 *
 * <p>A head's D numbers are D/2 pairs (i, i + D/2), i = 0..D/2-1, as in GPT-NeoX and Hugging Face's
 * port of Llama; the paper and Meta's Llama pair neighbours, which is the same up to the order of a
 * projection's rows. Pair i at position m is turned by m times the i-th frequency.
 */
public sealed interface Rotary extends PositionalScheme permits Rope, ScaledRope {

  /**
   * The angle by which each pair is turned from one position to the next.
   *
   * @param headWidth D, even
   * @param length T, the whole sequence's
   * @return D/2 angles in radians
   */
  double[] frequencies(int headWidth, long length);

  /**
   * By how much every query and every key is stretched besides; scores are stretched by its square.
   *
   * @param length T, the whole sequence's
   * @return a factor, 1 for most
   */
  default double stretch(long length) {
    return 1;
  }

  @Override
  default void requireShape(int layers, int heads, int width) {
    if (width / heads % 2 != 0) {
      throw new IllegalArgumentException(
          "model heads must have an even width, for rope turns pairs, found %d heads of width %d"
              .formatted(heads, width / heads));
    }
  }

  @Override
  default double[] rotate(double[] vector_D, long position, long length) {
    int half = vector_D.length / 2;
    double[] frequencies = frequencies(vector_D.length, length);
    double[] rotated_D = new double[vector_D.length];
    for (int i = 0; i < half; i++) {
      double cos = stretch(length) * Math.cos(position * frequencies[i]);
      double sin = stretch(length) * Math.sin(position * frequencies[i]);
      rotated_D[i] = vector_D[i] * cos - vector_D[half + i] * sin;
      rotated_D[half + i] = vector_D[half + i] * cos + vector_D[i] * sin;
    }
    return rotated_D;
  }
}
