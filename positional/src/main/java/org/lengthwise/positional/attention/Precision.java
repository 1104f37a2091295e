package org.lengthwise.positional.attention;

import org.lengthwise.config.EnumName;

/**
 * A number format of matrix products and attention, or of the residual stream. Weights, biases and
 * losses are float32 in both cases.
 */
public enum Precision {
  /** IEEE single precision throughout. */
  FLOAT32,
  /** bfloat16 inside kernels, as in automatic mixed precision. Weights and sums are float32. */
  BFLOAT16;

  public String label() {
    return EnumName.of(this);
  }

  public int bytes() {
    return this == BFLOAT16 ? Short.BYTES : Float.BYTES;
  }
}
