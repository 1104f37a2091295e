package org.lengthwise.model;

import org.lengthwise.config.AbsentMeans;

/**
 * The options in which decoders differ apart from their size and their positions.
 *
 * @param norm where LayerNorm is
 * @param activation the function between the two projections of an MLP
 * @param attentionBias whether the projections of attention have biases
 * @param embeddingScale the factor of token embeddings
 * @param initial the distribution of initial weights
 * @param causal whether a position sees no later ones; always in a language model
 * @param norms the normalisation
 * @param attention the heads
 * @param mlp the MLP
 * @param tokens the embeddings and the output
 */
public record DecoderForm(
    Norm norm,
    Activation activation,
    boolean attentionBias,
    EmbeddingScale embeddingScale,
    Initial initial,
    @AbsentMeans("true") boolean causal,
    @AbsentMeans("{}") NormForm norms,
    @AbsentMeans("{}") HeadForm attention,
    @AbsentMeans("{}") MlpForm mlp,
    @AbsentMeans("{}") TokenForm tokens) {

  /** The form of GPT-2. */
  public static final DecoderForm GPT2 =
      new DecoderForm(Norm.PRE, Activation.GELU, true, EmbeddingScale.ONE, Initial.GPT2, true);

  /**
   * A form with GPT-2's normalisation, heads, MLP and embeddings.
   *
   * @param activation the function between the two projections of an MLP
   * @param attentionBias whether the projections of attention have biases
   * @param embeddingScale the factor of token embeddings
   * @param initial the distribution of initial weights
   * @param causal whether a position sees no later ones
   */
  public DecoderForm(
      Norm norm,
      Activation activation,
      boolean attentionBias,
      EmbeddingScale embeddingScale,
      Initial initial,
      boolean causal) {
    this(
        norm,
        activation,
        attentionBias,
        embeddingScale,
        initial,
        causal,
        NormForm.GPT2,
        HeadForm.GPT2,
        MlpForm.GPT2,
        TokenForm.GPT2);
  }

  /** {@link #GPT2} as JSON, the form of stored models without the key. */
  static final String GPT2_JSON =
      "{\"norm\":\"pre\",\"activation\":\"gelu\",\"attention_bias\":true,"
          + "\"embedding_scale\":\"one\",\"initial\":\"gpt2\",\"causal\":true}";

  /** {@return whether the output begins with a normalisation} */
  public boolean hasFinalNorm() {
    return norm != Norm.POST;
  }

  /** Whether the projection of attended values has a bias. */
  boolean hasOutputBias() {
    return attentionBias && attention.outputBias();
  }

  /** Where normalisation is, and what is added to what. */
  public enum Norm {
    /** Before attention and MLP, and before the output. */
    PRE,
    /** After each sum of the residual stream; there is no final one. */
    POST,
    /** As {@link #PRE}, but attention and MLP read the same x, and both are added to it. */
    PARALLEL,
    /** As {@link #PRE}, but attention and MLP are added to the normalised x. */
    NORMED
  }

  /** The function between the two projections of an MLP. */
  public enum Activation {
    /** GELU in its tanh form. */
    GELU,
    /** GELU, x / 2 (1 + erf(x / sqrt(2))). */
    GELU_ERF,
    /** max(0, x). */
    RELU,
    /** x / (1 + exp(-x)). */
    SILU
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
