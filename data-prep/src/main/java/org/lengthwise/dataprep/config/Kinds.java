package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedClassResolver;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kinds of value, in the words of messages. */
final class Kinds {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);
  private static final Set<Class<?>> REAL =
      Set.of(double.class, Double.class, float.class, Float.class);

  private final ObjectMapper mapper;

  Kinds(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /** What a Java type expects of a value. */
  String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a value of another kind or size";
    }
    if (WHOLE.contains(type)) {
      return "a whole number";
    }
    if (REAL.contains(type)) {
      return "a number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "true or false";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "text";
    }
    if (type.isEnum()) {
      return "one of " + String.join(", ", constants(type));
    }
    return type.isArray() || Collection.class.isAssignableFrom(type) ? "a list" : "keys and values";
  }

  /** The constants of an enum as they are spelled in YAML; none of any other type. */
  List<String> constants(@Nullable Class<?> type) {
    if (type == null || !type.isEnum()) {
      return List.of();
    }
    return Arrays.stream(Objects.requireNonNull(type.getEnumConstants()))
        .map(constant -> mapper.valueToTree(constant).asText())
        .toList();
  }

  /** The keys from which an object of a class is made. */
  List<String> keys(Class<?> type) {
    return mapper
        .getDeserializationConfig()
        .introspect(mapper.constructType(type))
        .findProperties()
        .stream()
        .map(BeanPropertyDefinition::getName)
        .sorted()
        .toList();
  }

  /** The names between which a sealed choice is made. */
  List<String> choices(JavaType base) {
    var config = mapper.getDeserializationConfig();
    return mapper
        .getSubtypeResolver()
        .collectAndResolveSubtypesByTypeId(
            config, AnnotatedClassResolver.resolve(config, base, config))
        .stream()
        .filter(NamedType::hasName)
        .map(NamedType::getName)
        .sorted()
        .toList();
  }

  /** What a value is, with itself. */
  static String found(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "the text " + value;
      case NUMBER -> "the number " + value;
      case ARRAY -> "the list " + value;
      case OBJECT -> "the keys and values " + value;
      default -> value.toString();
    };
  }
}
