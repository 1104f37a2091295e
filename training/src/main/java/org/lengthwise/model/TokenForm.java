package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * How a language model represents tokens at its input and output.
 *
 * @param tied whether the output projection is the embedding matrix
 * @param width e, the width of embeddings, which are projected to d and back, as in small OPT
 *     models; 0 for d, without projections
 */
public record TokenForm(@AbsentMeans("true") boolean tied, @AbsentMeans("0") int width) {

  /** Tied embeddings of width d. */
  public static final TokenForm GPT2 = new TokenForm(true, 0);

  /** Requires a width of at least 0. */
  public TokenForm {
    Checks.atLeast("width", width, 0);
  }

  /** Whether embeddings are projected to the width of the model. */
  boolean isProjected() {
    return width > 0;
  }
}
