package org.lengthwise.reference;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.InvalidValueException;

/**
 * The values that records accept. A record is asked: it is made again with an extreme value of one
 * component, and its error message says what it expects.
 */
final class Ranges {
  private static final long FAR = 1L << 30;

  private final Map<Class<?>, Record> examples = new HashMap<>();

  /** Keeps a valid record of each class that occurs in a configuration. */
  void learn(@Nullable Object value) {
    if (value instanceof Record record) {
      examples.putIfAbsent(record.getClass(), record);
      Arrays.stream(record.getClass().getRecordComponents())
          .forEach(part -> learn(of(record, part)));
    } else if (value instanceof Collection<?> values) {
      values.forEach(this::learn);
    } else if (value instanceof Map<?, ?> values) {
      values.values().forEach(this::learn);
    }
  }

  /** What a record expects of a component, in the words of its errors; empty if it takes all. */
  String of(Class<?> type, int component, String key) {
    Set<String> expected = new LinkedHashSet<>();
    for (Object extreme : extremes(type.getRecordComponents()[component].getType())) {
      expected(type, component, key, extreme).ifPresent(expected::add);
    }
    return String.join(", ", expected);
  }

  private static List<Object> extremes(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return List.of((int) -FAR);
    } else if (type == long.class || type == Long.class) {
      return List.of(-FAR);
    } else if (type == double.class || type == Double.class) {
      return List.of((double) -FAR, (double) FAR);
    } else if (type == List.class) {
      return List.of(List.of());
    }
    return List.of();
  }

  private Optional<String> expected(Class<?> type, int component, String key, Object extreme) {
    Record example = examples.get(type);
    if (example == null) {
      throw new AssertionError("no file of conf/ has a " + type);
    }
    RecordComponent[] parts = type.getRecordComponents();
    Object[] values = Arrays.stream(parts).map(part -> of(example, part)).toArray();
    values[component] = extreme;
    try {
      Class<?>[] types =
          Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      constructor.newInstance(values);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof InvalidValueException invalid && invalid.key().equals(key)
          ? Optional.of(invalid.expected())
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type + " has no canonical constructor", e);
    }
  }

  private static @Nullable Object of(Record record, RecordComponent part) {
    try {
      part.getAccessor().setAccessible(true);
      return part.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(part.toString(), e);
    }
  }
}
