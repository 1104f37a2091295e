package org.lengthwise.config;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.util.NameTransformer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rejects unknown keys of records that have {@link JsonUnwrapped} components. Such a component is a
 * record, and its keys are written on the same level as the keys of the outer record. Without this
 * class Jackson ignores unknown keys of these records.
 */
final class FlatKeys extends BeanDeserializerModifier {
  private static final long serialVersionUID = 1L;

  static Stream<BeanPropertyDefinition> of(DeserializationConfig config, JavaType type) {
    return config.introspect(type).findProperties().stream()
        .filter(property -> property.getPrimaryMember() != null) // an ignored method has none
        .flatMap(
            property ->
                isFlat(property) ? of(config, property.getPrimaryType()) : Stream.of(property));
  }

  private static boolean isFlat(BeanPropertyDefinition property) {
    return property.getPrimaryMember().hasAnnotation(JsonUnwrapped.class);
  }

  @Override
  public JsonDeserializer<?> modifyDeserializer(
      DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> deserializer) {
    return bean.findProperties().stream()
            .anyMatch(property -> property.getPrimaryMember() != null && isFlat(property))
        ? new Strict(
            deserializer, of(config, bean.getType()).map(BeanPropertyDefinition::getName).toList())
        : deserializer;
  }

  private static final class Strict extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    private final List<String> keys;

    Strict(JsonDeserializer<?> deserializer, List<String> keys) {
      super(deserializer);
      this.keys = keys;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> deserializer) {
      return new Strict(deserializer, keys);
    }

    /** The keys of an unwrapped record are checked by the record around it. */
    @Override
    public JsonDeserializer<Object> unwrappingDeserializer(NameTransformer names) {
      @SuppressWarnings("unchecked")
      JsonDeserializer<Object> deserializer = (JsonDeserializer<Object>) getDelegatee();
      return deserializer.unwrappingDeserializer(names);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode record = context.readTree(parser);
      for (String key : (Iterable<String>) record::fieldNames) {
        if (!keys.contains(key)) {
          throw UnrecognizedPropertyException.from(parser, handledType(), key, List.copyOf(keys));
        }
      }
      try (JsonParser again = record.traverse(parser.getCodec())) {
        again.nextToken();
        return super.deserialize(again, context);
      }
    }
  }
}
