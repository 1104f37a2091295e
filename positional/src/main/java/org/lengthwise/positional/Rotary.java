package org.lengthwise.positional;

import org.lengthwise.config.Checks;

/**
 * Schemes that rotate queries and keys by an angle for each position. A score then depends on the
 * distance between query and key, not on their positions.
 *
 * <p>The D numbers of a head form D/2 pairs (i, i + D/2), i = 0..D/2-1, as in GPT-NeoX and Hugging
 * Face's port of Llama. The paper and Meta's Llama pair neighbouring numbers instead, which is the
 * same model with the rows of a projection in another order. Pair i at position m is rotated by m
 * times the i-th frequency.
 */
public sealed interface Rotary extends PositionalScheme permits Rope, ScaledRope {

  /**
   * {@return the angles in radians by which each of the D/2 pairs is rotated from one position to
   * the next}
   *
   * @param headWidth D, even
   * @param length T, the length of the whole sequence
   */
  double[] frequencies(int headWidth, long length);

  /**
   * {@return the factor by which every query and every key is multiplied; 1 unless the scheme is
   * scaled by YaRN} Scores are multiplied by its square.
   *
   * @param length T, the length of the whole sequence
   */
  default double stretch(long length) {
    return 1;
  }

  @Override
  default <R> R accept(AttentionForm<R> form) {
    return form.rotary(this);
  }

  @Override
  default boolean hasLaterKeys() {
    return true;
  }

  @Override
  default void requireShape(int heads, int width) {
    Checks.require(
        width / heads % 2 == 0,
        "model.heads",
        "heads of an even width, because rope rotates pairs",
        "%d heads of width %d".formatted(heads, width / heads));
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
