package org.lengthwise.positional;

/**
 * No position at all: causal attention whose only knowledge of order is the causal mask itself.
 *
 * <p>Source: Haviv et al., "Transformer Language Models without Positional Encodings Still Learn
 * Positional Information", Findings of EMNLP 2022.
 */
public record NoPosition() implements PositionalScheme {
  static final String NAME = "none";

  @Override
  public String label() {
    return NAME;
  }
}
