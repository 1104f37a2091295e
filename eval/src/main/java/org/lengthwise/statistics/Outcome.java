package org.lengthwise.statistics;

/** The conclusion about perplexity beyond the training length. */
public enum Outcome {
  /** The perplexity stays within the tolerated ratio. */
  HOLDS("extrapolates"),

  /** The perplexity rises above the tolerated ratio. */
  DEGRADES("degrades"),

  /** The perplexity rises above the explosive ratio. */
  EXPLODES("explodes"),

  /** The measured tokens and seeds are not enough for a decision. */
  NOT_SETTLED("not-settled");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }
}
