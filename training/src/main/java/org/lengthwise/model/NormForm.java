package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * The normalisation of a decoder.
 *
 * @param kind the formula
 * @param epsilon what is added to the variance or to the mean square
 * @param afterEmbedding whether the embeddings are normalised before the first block, too, as in
 *     BLOOM
 */
public record NormForm(
    @AbsentMeans("\"layer\"") Kind kind,
    @AbsentMeans("1.0E-5") double epsilon,
    @AbsentMeans("false") boolean afterEmbedding) {

  /** LayerNorm with GPT-2's epsilon, not after the embedding. */
  public static final NormForm GPT2 = new NormForm(Kind.LAYER, 1e-5, false);

  /** The formula of a normalisation. */
  public enum Kind {
    /** (x - mean) / sqrt(variance + epsilon) * weight + bias. */
    LAYER,
    /** LayerNorm without the bias. */
    LAYER_WITHOUT_BIAS,
    /** x / sqrt(mean(x<sup>2</sup>) + epsilon) * weight (Zhang and Sennrich, NeurIPS 2019). */
    RMS
  }

  /** Requires a positive epsilon. */
  public NormForm {
    Checks.above("epsilon", epsilon, 0);
  }

  /** Whether each normalisation has a bias. */
  boolean hasBias() {
    return kind == Kind.LAYER;
  }
}
