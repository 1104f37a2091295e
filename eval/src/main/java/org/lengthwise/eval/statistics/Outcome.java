package org.lengthwise.eval.statistics;

/** What the change of perplexity beyond the training length comes to. */
public enum Outcome {
  /** The perplexity stays within what is tolerated. */
  HOLDS("extrapolates"),

  /** It rises beyond what is tolerated. */
  DEGRADES("degrades"),

  /** It rises beyond use. */
  EXPLODES("explodes"),

  /** The tokens and seeds measured do not tell. */
  NOT_SETTLED("not-settled");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  /**
   * The outcome's name in files.
   *
   * @return the name
   */
  public String label() {
    return label;
  }
}
