package org.lengthwise.model;

import org.lengthwise.positional.PositionalScheme;

/** Classifiers of strings for tests. */
public final class StringModels {
  /** The form of RegularGPT in the code of its authors. */
  public static final DecoderForm PAPER =
      new DecoderForm(
          DecoderForm.Norm.POST,
          DecoderForm.Activation.RELU,
          false,
          DecoderForm.EmbeddingScale.SQRT_WIDTH,
          DecoderForm.Initial.FAN_IN,
          true);

  /** The form of the transformer that the paper compares with. */
  public static final DecoderForm BOTH_DIRECTIONS =
      new DecoderForm(
          PAPER.norm(),
          PAPER.activation(),
          PAPER.attentionBias(),
          PAPER.embeddingScale(),
          PAPER.initial(),
          false);

  private StringModels() {}

  /** A classifier of three symbols into two labels, with 3 heads of width 4. */
  static ModelConfig small(int layers, PositionalScheme scheme, DecoderForm form) {
    return new ModelConfig(layers, 12, 3, 3, scheme, form, 2);
  }
}
