package org.lengthwise.report.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.Located;

/** Values that belong together. */
public final class Groups {
  private Groups() {}

  /** {@return a collector of the values of each key, in the order in which keys occur} */
  public static <T, K> Collector<T, ?, Map<K, List<T>>> by(Function<? super T, K> key) {
    return Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList());
  }

  /**
   * Requires that all results of a key have the same property.
   *
   * @param expected what an error expects
   * @throws DataFormatException if two differ; the message names both places
   */
  public static <R, K> void requireOne(
      List<Located<R>> found, String expected, Function<R, K> key, Function<R, ?> property) {
    Map<K, Located<R>> firsts = new LinkedHashMap<>();
    for (Located<R> result : found) {
      K group = key.apply(result.value());
      Located<R> first = Objects.requireNonNullElse(firsts.putIfAbsent(group, result), result);
      Object here = property.apply(result.value());
      Object there = property.apply(first.value());
      if (!here.equals(there)) {
        throw new DataFormatException(
            result.place(),
            expected,
            "%s here and %s in %s (%s)".formatted(here, there, first.place(), group),
            "with --results, name only folders that belong together");
      }
    }
  }
}
