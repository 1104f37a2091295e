package org.lengthwise.config;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Words of messages for types and values. */
final class TypeWords {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);
  private static final Set<Class<?>> REAL =
      Set.of(double.class, Double.class, float.class, Float.class);

  private final ObjectMapper mapper;

  TypeWords(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a value of another type or range";
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

  List<String> constants(@Nullable Class<?> type) {
    if (type == null || !type.isEnum()) {
      return List.of();
    }
    return Arrays.stream(Objects.requireNonNull(type.getEnumConstants()))
        .map(constant -> mapper.valueToTree(constant).asText())
        .toList();
  }

  List<String> keys(Class<?> type) {
    return properties(type).map(BeanPropertyDefinition::getName).sorted().toList();
  }

  private Stream<BeanPropertyDefinition> properties(Class<?> type) {
    return FlatKeys.of(mapper.getDeserializationConfig(), mapper.constructType(type));
  }

  /**
   * The names of the choices of a value: those of its sealed type, and those that the component of
   * a record lists.
   */
  List<String> choices(JavaType base, List<JsonMappingException.Reference> path) {
    return mapper
        .getSubtypeResolver()
        .collectAndResolveSubtypesByTypeId(mapper.getDeserializationConfig(), component(path), base)
        .stream()
        .filter(choice -> choice.hasName() && base.isTypeOrSuperTypeOf(choice.getType()))
        .map(NamedType::getName)
        .sorted()
        .toList();
  }

  /** The innermost component of a record on a path. */
  private @Nullable AnnotatedMember component(List<JsonMappingException.Reference> path) {
    AnnotatedMember component = null;
    for (JsonMappingException.Reference step : path) {
      if (step.getFrom() instanceof Class<?> type && step.getFieldName() != null) {
        component =
            properties(type)
                .filter(property -> property.getName().equals(step.getFieldName()))
                .map(BeanPropertyDefinition::getPrimaryMember)
                .findFirst()
                .orElse(component);
      }
    }
    return component;
  }

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
