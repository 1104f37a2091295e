package org.lengthwise.eval.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How windows are placed over the test split, and how many of the last tokens of each are scored.
 * Every protocol reads the same windows for every model. Numbers of different protocols are never
 * put into one table.
 */
public enum Protocol {
  /**
   * The last token of each window. The same target tokens at every length; only the context grows,
   * so that differences are paired.
   */
  ALIGNED("aligned", "the same target tokens at every length, only the context grows"),

  /** The last token of each window, which are drawn anew at every length. */
  INDEPENDENT("independent", "fresh random chunks at every length"),

  /**
   * The last tokens of each window, as many as the stride, which are the same at every length: each
   * has at least T_ex - stride tokens before it.
   */
  SLIDING_WINDOW(
      "sliding-window",
      "as many last tokens of each window as the stride, the same at every length"),

  /**
   * All that can be scored of windows side by side, which read nothing twice: a window's second
   * token has one token before it, and its last has T_ex - 1.
   */
  NON_OVERLAPPING("non-overlapping", "every token once, of windows side by side"),

  /**
   * All that can be scored of windows that end at aligned targets: a mean over windows for each
   * position.
   */
  BY_POSITION("by-position", "every token of windows that end at aligned targets");

  private final String label;
  private final String meaning;

  Protocol(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /**
   * The protocol's name in files, on the command line and in reports.
   *
   * @return the name, such as {@code aligned}
   */
  @JsonValue
  public String label() {
    return label;
  }

  /**
   * What the protocol does, in one clause for a reader of a report.
   *
   * @return the clause, without a full stop
   */
  public String meaning() {
    return meaning;
  }

  /**
   * The protocol of a name.
   *
   * @param label a name as {@link #label()} gives it
   * @return the protocol
   * @throws IllegalArgumentException if no protocol has that name
   */
  @JsonCreator
  public static Protocol of(String label) {
    return Arrays.stream(values())
        .filter(protocol -> protocol.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "protocol must be one of "
                        + Arrays.stream(values())
                            .map(Protocol::label)
                            .collect(Collectors.joining(", "))
                        + ", not "
                        + label));
  }
}
