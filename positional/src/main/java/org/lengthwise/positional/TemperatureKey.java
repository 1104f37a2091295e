package org.lengthwise.positional;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.jsontype.impl.AsPropertyTypeDeserializer;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the key {@code temperature}, which stands beside the keys of any scheme. So no
 * record of a scheme has a component for it.
 */
final class TemperatureKey extends StdTypeResolverBuilder {
  static final String KEY = "temperature";
  private static final long serialVersionUID = 1L;

  @Override
  public TypeDeserializer buildTypeDeserializer(
      DeserializationConfig config, JavaType base, Collection<NamedType> choices) {
    return new Reader(
        (AsPropertyTypeDeserializer) super.buildTypeDeserializer(config, base, choices), null);
  }

  /** Reads a scheme by its name, after the key was taken out. */
  private static final class Reader extends AsPropertyTypeDeserializer {
    private static final long serialVersionUID = 1L;

    Reader(AsPropertyTypeDeserializer plain, @Nullable BeanProperty property) {
      super(plain, property);
    }

    @Override
    public TypeDeserializer forProperty(BeanProperty property) {
      return new Reader(this, property);
    }

    @Override
    public Object deserializeTypedFromObject(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!parser.hasToken(JsonToken.START_OBJECT)) {
        return super.deserializeTypedFromObject(parser, context);
      }
      ObjectNode keys = context.readTree(parser).require();
      JsonNode temperature = keys.remove(KEY);
      PositionalScheme scheme = scheme(keys, parser, context);
      if (temperature == null) {
        return scheme;
      }
      try {
        return new Tempered(scheme, context.readTreeAsValue(temperature, Temperature.class));
      } catch (JsonMappingException e) {
        throw JsonMappingException.wrapWithPath(e, PositionalScheme.class, KEY);
      } catch (IllegalArgumentException e) {
        throw ValueInstantiationException.from(parser, e.getMessage(), baseType(), e);
      }
    }

    private PositionalScheme scheme(
        ObjectNode keys, JsonParser parser, DeserializationContext context) throws IOException {
      try (JsonParser again = keys.traverse(parser.getCodec())) {
        again.nextToken();
        return (PositionalScheme) super.deserializeTypedFromObject(again, context);
      } catch (UnrecognizedPropertyException e) {
        if (e.getPath().size() > 1) {
          throw e;
        }
        List<Object> known = new ArrayList<>(e.getKnownPropertyIds());
        known.add(KEY);
        throw UnrecognizedPropertyException.from(
            parser, e.getReferringClass(), e.getPropertyName(), known);
      }
    }
  }

  /** Writes the keys of the other scheme, and this one behind them. */
  static final class Writer extends JsonSerializer<Tempered> {
    @Override
    public void serializeWithType(
        Tempered scheme, JsonGenerator out, SerializerProvider provider, TypeSerializer type)
        throws IOException {
      serialize(scheme, out, provider);
    }

    @Override
    public void serialize(Tempered scheme, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ObjectMapper mapper = (ObjectMapper) out.getCodec();
      ObjectNode keys = mapper.valueToTree(scheme.of());
      keys.set(KEY, mapper.valueToTree(scheme.temperature()));
      out.writeTree(keys);
    }
  }
}
