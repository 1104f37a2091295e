package org.lengthwise.positional.attention;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import org.lengthwise.positional.Labels;

/**
 * The number format of matrix products and attention. Weights, residual stream, normalisation,
 * biases and losses are float32 under both.
 */
public enum Precision {
  /** IEEE single precision throughout. */
  FLOAT32,
  /** bfloat16 inside kernels, cast in and out, as under automatic mixed precision. */
  BFLOAT16;

  /**
   * The name in configurations and results.
   *
   * @return {@code float32} or {@code bfloat16}
   */
  @JsonValue
  public String label() {
    return Labels.of(this);
  }

  /**
   * The precision with a name.
   *
   * @param label {@code float32} or {@code bfloat16}
   * @return the precision
   * @throws IllegalArgumentException for any other name
   */
  @JsonCreator
  public static Precision of(String label) {
    return Labels.constant(Precision.class, label);
  }
}
