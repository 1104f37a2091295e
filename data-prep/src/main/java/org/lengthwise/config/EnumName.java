package org.lengthwise.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of enum constants in YAML, JSON and on the command line: kebab-case. */
public final class EnumName {
  private EnumName() {}

  /** {@return the name of a constant, such as {@code last-token} of {@code LAST_TOKEN}} */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * {@return the constant with a name}
   *
   * @param <E> the enum
   * @throws IllegalArgumentException if no constant has the name; the message lists all names
   */
  public static <E extends Enum<E>> E constant(Class<E> type, String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> of(constant).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Arrays.stream(type.getEnumConstants())
                        .map(EnumName::of)
                        .collect(Collectors.joining(", ", "expected one of ", ", found " + name))));
  }
}
