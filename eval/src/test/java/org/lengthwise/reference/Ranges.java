package org.lengthwise.reference;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.InvalidValueException;

/**
 * The ranges of keys, in the words with which records reject values.
 *
 * <p>A valid record is created again with one value changed: the smallest number, the largest
 * number, not a number, an empty list, or a text that is no name. The first value that the record
 * rejects gives the range. So a page never states a range that the record does not check.
 */
final class Ranges {
  private static final String NO_NAME = "?";

  /**
   * What a record says of a component.
   *
   * @param example a valid record
   * @param component the index of the component
   * @param depth 0 for the value itself, 1 for the entries of a list, and so on
   * @param text the words
   */
  record Stated(Record example, int component, int depth, String text) {
    /** Whether the record rejects a value with these words. */
    boolean rejects(Number value) {
      return rejection(example, component, depth == 0 ? value : List.of(value))
          .filter(text::equals)
          .isPresent();
    }

    /**
     * A number of the component's type.
     *
     * @param digits a number
     * @param steps 1 for the next larger number, -1 for the next smaller one, 0 for the number
     */
    Number number(String digits, int steps) {
      Type type = example.getClass().getRecordComponents()[component].getGenericType();
      String name = type.getTypeName();
      if (name.contains("ouble")) {
        double value = Double.parseDouble(digits);
        return steps == 0 ? value : steps > 0 ? Math.nextUp(value) : Math.nextDown(value);
      }
      long value = Long.parseLong(digits) + steps;
      return name.contains("ong") ? (Number) value : (Number) (int) value;
    }
  }

  private final Set<Record> learned = new HashSet<>();
  private final Map<String, List<Stated>> ranges = new LinkedHashMap<>();

  /**
   * Learns the ranges of records.
   *
   * @param value a record, or a list or map of records, with the records in them
   */
  void learn(@Nullable Object value) {
    if (value instanceof Collection<?> values) {
      values.forEach(this::learn);
    } else if (value instanceof Map<?, ?> map) {
      map.values().forEach(this::learn);
    } else if (value instanceof Record record && learned.add(record)) {
      values(record).forEach(this::learn);
      for (int i = 0; i < record.getClass().getRecordComponents().length; i++) {
        learn(record, i);
      }
    }
  }

  private void learn(Record record, int index) {
    RecordComponent component = record.getClass().getRecordComponents()[index];
    List<Stated> known =
        ranges.computeIfAbsent(
            name(record.getClass(), component.getName()), any -> new ArrayList<>());
    List<List<?>> probes = probes(component.getGenericType());
    for (int i = 0; i < probes.size(); i++) {
      int depth = i;
      Optional<String> text =
          probes.get(i).stream()
              .flatMap(probe -> rejection(record, index, probe).stream())
              .findFirst();
      Optional<Stated> earlier = known.stream().filter(one -> one.depth() == depth).findFirst();
      if (earlier.isEmpty() && text.isPresent()) {
        known.add(new Stated(record, index, depth, text.get()));
      } else if (text.isPresent() && !earlier.get().text().equals(text.get())) {
        throw new AssertionError(
            "the range of %s depends on other keys: %s, %s".formatted(component, earlier, text));
      }
    }
  }

  /** The range of a component; empty if the record accepts every value of its type. */
  String of(Class<?> record, String component) {
    List<Stated> known = ranges.get(name(record, component));
    if (known == null) {
      throw new AssertionError("conf/ has no example of " + name(record, component));
    }
    List<String> texts = new ArrayList<>();
    for (Stated one : known) {
      if (one.depth() == 0 || !one.text().equals(texts.isEmpty() ? "" : texts.get(0))) {
        texts.add((one.depth() == 0 ? "" : "each ") + one.text());
      }
    }
    return String.join("; ", texts);
  }

  /** All that records say. */
  Stream<Stated> all() {
    return ranges.values().stream().flatMap(List::stream);
  }

  private static String name(Class<?> record, String component) {
    return record.getName() + "#" + component;
  }

  /** Values at the limits of a type: of itself, and for a list of its entries. */
  private static List<List<?>> probes(Type type) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return Stream.concat(
              Stream.of(List.of(List.of())),
              probes(list.getActualTypeArguments()[0]).stream()
                  .map(probes -> probes.stream().map(List::of).toList()))
          .<List<?>>map(probes -> probes)
          .toList();
    } else if (type == int.class || type == Integer.class) {
      return List.of(List.of(Integer.MIN_VALUE, Integer.MAX_VALUE));
    } else if (type == long.class || type == Long.class) {
      return List.of(List.of(Long.MIN_VALUE, Long.MAX_VALUE));
    } else if (type == double.class || type == Double.class) {
      return List.of(List.of(-Double.MAX_VALUE, Double.MAX_VALUE, Double.NaN));
    }
    return type == String.class ? List.of(List.of(NO_NAME)) : List.of();
  }

  /**
   * What a record expects in place of a value.
   *
   * @param record a valid record
   * @param index the component
   * @param value its new value
   * @return the words, or empty if the record accepts the value
   */
  private static Optional<String> rejection(Record record, int index, Object value) {
    RecordComponent[] components = record.getClass().getRecordComponents();
    Object[] arguments = values(record).toArray();
    arguments[index] = value;
    try {
      Constructor<?> constructor =
          record
              .getClass()
              .getDeclaredConstructor(
                  Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
      constructor.setAccessible(true);
      constructor.newInstance(arguments);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      String key =
          components[index].getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      return e.getCause() instanceof InvalidValueException invalid && invalid.key().equals(key)
          ? Optional.of(invalid.expected())
          : Optional.empty();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a record has no canonical constructor", e);
    }
  }

  private static List<Object> values(Record record) {
    return Arrays.stream(record.getClass().getRecordComponents())
        .map(component -> value(record, component))
        .collect(Collectors.toList()); // null is a value, too
  }

  private static @Nullable Object value(Record record, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the accessor of %s failed".formatted(component), e);
    }
  }
}
