package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;

/**
 * No position: causal attention that knows the order of tokens only from the causal mask.
 *
 * <p>Source: Haviv et al., "Transformer Language Models without Positional Encodings Still Learn
 * Positional Information", Findings of EMNLP 2022.
 */
@JsonTypeName("none")
public record NoPosition() implements PositionalScheme {
  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.noBias(this);
  }

  @Override
  public Reach reach() {
    return Reach.BOTH_SIDES;
  }
}
