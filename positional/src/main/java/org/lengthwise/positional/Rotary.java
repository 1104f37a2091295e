package org.lengthwise.positional;

import java.util.Optional;

/**
 * Schemes that rotate queries and keys by an angle for each position. A score then depends on the
 * distance between query and key, not on their positions.
 *
 * <p>The first R numbers of a head form R/2 pairs (i, i + R/2), i = 0..R/2-1, as in GPT-NeoX and
 * Hugging Face's port of Llama. Other numbers of the head are not rotated. The paper and Meta's
 * Llama pair neighbouring numbers instead, which is the same model with the rows of a projection in
 * another order. Pair i at position m is rotated by m times the i-th frequency.
 */
public sealed interface Rotary extends PositionalScheme permits Rope, ScaledRope {

  /**
   * {@return the angles in radians by which each of the R/2 pairs is rotated from one position to
   * the next, in a sequence of T positions}
   */
  double[] frequencies(int headWidth, long length);

  /**
   * {@return the factor of the rotated numbers of every query and every key in a sequence of T
   * positions} If all numbers are rotated, scores are multiplied by its square.
   */
  double stretch(long length);

  /** Blocks with a window may rotate otherwise than those without. */
  @Override
  default Rotary inBlock(int block) {
    return this;
  }

  Optional<LayerWindow> layerWindow();

  @Override
  default <R> R accept(AttentionForm<R> form) {
    return form.rotary(this);
  }

  /** A window is defined for earlier keys only. */
  @Override
  default Reach reach() {
    return layerWindow().<Reach>map(window -> window).orElse(Reach.BOTH_SIDES);
  }

  @Override
  default double bias(PositionalValues values, int head, int level, long query, long distance) {
    boolean isSeen = query - distance >= reach().firstKey(values.block(), query);
    return isSeen ? 0 : Double.NEGATIVE_INFINITY;
  }

  @Override
  default double[] rotate(double[] vector_D, long position, long length) {
    double[] frequencies = frequencies(vector_D.length, length);
    int half = frequencies.length;
    double[] rotated_D = vector_D.clone();
    for (int i = 0; i < half; i++) {
      double cos = stretch(length) * Math.cos(position * frequencies[i]);
      double sin = stretch(length) * Math.sin(position * frequencies[i]);
      rotated_D[i] = vector_D[i] * cos - vector_D[half + i] * sin;
      rotated_D[half + i] = vector_D[half + i] * cos + vector_D[i] * sin;
    }
    return rotated_D;
  }
}
