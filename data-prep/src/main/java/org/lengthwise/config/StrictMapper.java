package org.lengthwise.config;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates mappers that reject unknown keys, missing keys, nulls and values of another type. */
final class StrictMapper {
  private StrictMapper() {}

  static ObjectMapper forArtifacts() {
    return builder().build();
  }

  /** A mapper that also rejects unknown keys of {@linkplain FlatKeys unwrapped} records. */
  static ObjectMapper forConfiguration() {
    return builder().addModule(new SimpleModule().setDeserializerModifier(new FlatKeys())).build();
  }

  private static JsonMapper.Builder builder() {
    JsonMapper.Builder builder =
        JsonMapper.builder()
            .annotationIntrospector(new Annotations())
            .injectableValues(new AbsentValues())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    return builder.withCoercionConfig(
        LogicalType.Textual,
        config ->
            config
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  /**
   * Names enum constants in kebab-case, finds the choices of a sealed type that lists none (its
   * permitted records, by their {@link JsonTypeName}), and reads absent keys.
   */
  private static final class Annotations extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public String[] findEnumValues(
        MapperConfig<?> config, AnnotatedClass type, Enum<?>[] constants, String[] names) {
      String[] named = super.findEnumValues(config, type, constants, names);
      for (int i = 0; i < constants.length; i++) {
        if (named[i] == null) {
          named[i] = EnumName.of(constants[i]);
        }
      }
      return named;
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(Annotated type) {
      List<NamedType> listed = super.findSubtypes(type);
      return listed == null && type.getRawType().isSealed()
          ? choices(type.getRawType()).toList()
          : listed;
    }

    private static Stream<NamedType> choices(Class<?> type) {
      if (type.isSealed()) {
        return Stream.of(type.getPermittedSubclasses()).flatMap(Annotations::choices);
      }
      JsonTypeName name = type.getAnnotation(JsonTypeName.class);
      return name == null ? Stream.empty() : Stream.of(new NamedType(type, name.value()));
    }

    @Override
    public JsonSetter.Value findSetterInfo(Annotated member) {
      return member instanceof AnnotatedParameter parameter && !mayBeNull(parameter)
          ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
          : super.findSetterInfo(member);
    }

    /** A component with {@link Nullable}, or one for which null is JSON or an empty value. */
    private static boolean mayBeNull(AnnotatedParameter parameter) {
      Class<?> type = parameter.getRawType();
      return type == Optional.class
          || JsonNode.class.isAssignableFrom(type)
          || (parameter.getOwner().getMember() instanceof Executable made
              && made.getAnnotatedParameterTypes()[parameter.getIndex()].isAnnotationPresent(
                  Nullable.class));
    }

    @Override
    public JacksonInject.@Nullable Value findInjectableValue(AnnotatedMember member) {
      AbsentMeans absent = member.getAnnotation(AbsentMeans.class);
      return absent == null
          ? super.findInjectableValue(member)
          : JacksonInject.Value.construct(absent.value(), true, false);
    }
  }

  private static final class AbsentValues extends InjectableValues.Base {
    private static final long serialVersionUID = 1L;

    @Override
    public Object findInjectableValue(
        DeserializationContext context,
        Object json,
        BeanProperty property,
        @Nullable Object owner,
        @Nullable Boolean optional,
        @Nullable Boolean useInput)
        throws JsonMappingException {
      ObjectCodec codec = context.getParser().getCodec();
      try (JsonParser parser = codec.getFactory().createParser((String) json)) {
        return codec.readValue(parser, property.getType());
      } catch (IOException e) {
        throw JsonMappingException.fromUnexpectedIOE(e);
      }
    }
  }
}
