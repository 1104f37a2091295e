package org.lengthwise.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;

/**
 * The lengths of a measurement: numbers, and ranges such as {@code 41..500} or {@code 41..500:9},
 * which is every ninth length from 41 on.
 *
 * @param values the lengths in ascending order, each once
 */
public record Lengths(@JsonValue List<Integer> values) {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9})(?:\\.\\.(\\d{1,9})(?::(\\d{1,9}))?)?");

  /** Sorts the lengths, and requires at least one, each at least 1. */
  public Lengths {
    values = values.stream().distinct().sorted().toList();
    Checks.require(
        !values.isEmpty() && values.get(0) >= 1, "lengths", "lengths of at least 1", values);
  }

  /**
   * Reads lengths.
   *
   * @param parts numbers and ranges, as text or as numbers
   * @return the lengths
   * @throws InvalidValueException if a part is neither a length of at least 1 nor a range
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Lengths of(List<?> parts) {
    return new Lengths(parts.stream().flatMap(part -> part(String.valueOf(part))).toList());
  }

  private static Stream<Integer> part(String text) {
    Matcher part = PART.matcher(text.strip());
    if (part.matches()) {
      int first = Integer.parseInt(part.group(1));
      int last = part.group(2) == null ? first : Integer.parseInt(part.group(2));
      int step = part.group(3) == null ? 1 : Integer.parseInt(part.group(3));
      if (first >= 1 && last >= first && step >= 1) {
        return IntStream.iterate(first, length -> length <= last, length -> length + step).boxed();
      }
    }
    throw new InvalidValueException(
        "lengths",
        "lengths of at least 1, such as 512, 41..500 or 41..500:9, with the shorter one first",
        text);
  }
}
