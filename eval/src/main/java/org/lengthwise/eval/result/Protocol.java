package org.lengthwise.eval.result;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * How the scored tokens of a last-token evaluation are drawn. Numbers of different protocols are
 * never put into one table.
 */
public enum Protocol {
  /**
   * The same target tokens at every length and for every model; only the context grows, so that
   * differences are paired.
   */
  ALIGNED("aligned", "the same target tokens at every length, only the context grows"),

  /** Fresh random chunks at every length. */
  INDEPENDENT("independent", "fresh random chunks at every length");

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
