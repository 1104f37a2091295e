package org.lengthwise.report.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** Values that belong together, in the order in which their keys occur. */
public final class Groups {
  private Groups() {}

  /** {@return a collector of the values of each key} */
  public static <T, K> Collector<T, ?, Map<K, List<T>>> by(Function<? super T, K> key) {
    return Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList());
  }
}
