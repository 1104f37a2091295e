package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;

/**
 * The options in which decoders differ apart from their positions. Language models have the form of
 * GPT-2.
 *
 * @param norm where LayerNorm is
 * @param activation the function between the two projections of an MLP
 * @param attentionBias whether the projections of attention have biases
 * @param embeddingScale the factor of token embeddings
 * @param initial the distribution of initial weights
 * @param causal whether a position sees no later ones; always in a language model
 */
public record DecoderForm(
    Norm norm,
    Activation activation,
    boolean attentionBias,
    EmbeddingScale embeddingScale,
    Initial initial,
    @AbsentMeans(value = "true", inYaml = true) boolean causal) {

  /** The form of GPT-2. */
  public static final DecoderForm GPT2 =
      new DecoderForm(Norm.PRE, Activation.GELU, true, EmbeddingScale.ONE, Initial.GPT2, true);

  /** {@link #GPT2} as JSON, the form of stored models without the key. */
  static final String GPT2_JSON =
      "{\"norm\":\"pre\",\"activation\":\"gelu\",\"attention_bias\":true,"
          + "\"embedding_scale\":\"one\",\"initial\":\"gpt2\",\"causal\":true}";

  /** Where LayerNorm is. */
  public enum Norm {
    /** Before attention and MLP, and before the output. */
    PRE,
    /** After each sum of the residual stream; there is no final one. */
    POST
  }

  /** The function between the two projections of an MLP. */
  public enum Activation {
    /** GELU in its tanh form. */
    GELU,
    /** max(0, x). */
    RELU
  }

  /** The factor of token embeddings. */
  public enum EmbeddingScale {
    /** 1. */
    ONE,
    /** sqrt(d). */
    SQRT_WIDTH
  }

  /** The distribution of initial weights. */
  public enum Initial {
    /** N(0, 0.02), and less for the projections to the residual stream. */
    GPT2,
    /**
     * Normal values of deviation 1 / sqrt(inputs), or 0.02 for embeddings, drawn again beyond two
     * deviations.
     */
    FAN_IN
  }
}
