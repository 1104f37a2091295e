package org.lengthwise.positional;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Constants by the names that configurations and results have for them: lower case. */
public final class Labels {
  private Labels() {}

  /**
   * The name of a constant.
   *
   * @param constant the constant
   * @return its name in lower case
   */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The constant with a name.
   *
   * @param kind its enum
   * @param label the name
   * @param <E> its enum
   * @return the constant
   * @throws IllegalArgumentException for any other name
   */
  public static <E extends Enum<E>> E constant(Class<E> kind, String label) {
    E[] constants = kind.getEnumConstants();
    return Stream.of(constants)
        .filter(constant -> of(constant).equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Stream.of(constants)
                        .map(Labels::of)
                        .collect(
                            Collectors.joining(", ", "expected one of ", ", found " + label))));
  }
}
