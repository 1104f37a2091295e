package org.lengthwise.result;

import org.lengthwise.config.EnumName;

/**
 * A protocol, by its name in results. A protocol decides the positions of windows in the test
 * split, and the number of last tokens of each window that are scored. Every model reads the same
 * windows. Results of different protocols are never in the same table.
 */
public enum Protocol {
  /** The last token of each window. The targets are the same at every length. */
  ALIGNED("the same target tokens at every length, only the context grows"),

  /** The last token of each window. The windows are drawn separately for each length. */
  INDEPENDENT("random windows, drawn separately for each length"),

  /**
   * As many last tokens of each window as the stride. The targets are the same at every length and
   * have at least T_ex - stride tokens before them.
   */
  SLIDING_WINDOW("as many last tokens of each window as the stride, the same at every length"),

  /** All tokens of adjacent windows except the first token of each. No token is read twice. */
  NON_OVERLAPPING("every token of adjacent windows, once"),

  /** All tokens except the first of windows that end at aligned targets. */
  BY_POSITION("every token of windows that end at aligned targets");

  private final String meaning;

  Protocol(String meaning) {
    this.meaning = meaning;
  }

  /** {@return the name in files, options and reports, such as {@code aligned}} */
  public String label() {
    return EnumName.of(this);
  }

  /** {@return an explanation for readers of a report: a clause without a full stop} */
  public String meaning() {
    return meaning;
  }
}
