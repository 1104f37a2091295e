package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * The MLP of a block: out(act(in x)), or down(act(gate x) * up x) if it is gated (Shazeer, "GLU
 * Variants Improve Transformer", 2020).
 *
 * @param width F, the inner width; 0 for 4 d
 * @param gated whether it has a gate
 * @param bias whether its projections have biases
 */
public record MlpForm(
    @AbsentMeans("0") int width,
    @AbsentMeans("false") boolean gated,
    @AbsentMeans("true") boolean bias) {

  /** Inner width 4 d with biases and without a gate. */
  public static final MlpForm GPT2 = new MlpForm(0, false, true);

  /** Requires a width of at least 0. */
  public MlpForm {
    Checks.atLeast("width", width, 0);
  }
}
