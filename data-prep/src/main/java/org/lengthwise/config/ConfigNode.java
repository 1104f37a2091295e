package org.lengthwise.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A value of the configuration with the place where it was set; immutable. */
sealed interface ConfigNode {

  /** Where the value was set: {@code FILE:LINE} of its key, or the setting on the command line. */
  String place();

  JsonNode toJson();

  private static ConfigNode of(JsonNode value, String place) {
    return switch (value.getNodeType()) {
      case OBJECT -> Mapping.of(value, place);
      case ARRAY -> {
        List<ConfigNode> values = new ArrayList<>();
        value.forEach(one -> values.add(of(one, place)));
        yield new Sequence(place, values);
      }
      default -> new Scalar(place, value);
    };
  }

  /**
   * Mappings merge. A mapping whose keys are indices of a list changes its entries, as {@code --set
   * list.0.key=value} does. Any other value replaces the earlier value.
   */
  private static ConfigNode overlay(ConfigNode below, ConfigNode above) {
    if (above instanceof Mapping upper) {
      if (below instanceof Mapping lower) {
        return lower.overlaid(upper);
      }
      if (below instanceof Sequence lower && lower.indices().containsAll(upper.values.keySet())) {
        return lower.overlaid(upper);
      }
    }
    return above;
  }

  /**
   * Values by key, in the order in which they were first set; the place is where the mapping was
   * last set.
   */
  record Mapping(String place, Map<String, ConfigNode> values) implements ConfigNode {
    public Mapping {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    static Mapping of(JsonNode object, String place) {
      Map<String, ConfigNode> values = new LinkedHashMap<>();
      object.properties().stream()
          .filter(field -> !field.getValue().isNull()) // an absent key of an artifact
          .forEach(field -> values.put(field.getKey(), ConfigNode.of(field.getValue(), place)));
      return new Mapping(place, values);
    }

    Mapping overlaid(Mapping top) {
      Map<String, ConfigNode> merged = new LinkedHashMap<>(values);
      top.values.forEach((key, value) -> merged.merge(key, value, ConfigNode::overlay));
      return new Mapping(top.place, merged);
    }

    Mapping without(String key) {
      Map<String, ConfigNode> rest = new LinkedHashMap<>(values);
      rest.remove(key);
      return new Mapping(place, rest);
    }

    @Override
    public ObjectNode toJson() {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      values.forEach((key, value) -> object.set(key, value.toJson()));
      return object;
    }
  }

  record Sequence(String place, List<ConfigNode> values) implements ConfigNode {
    public Sequence {
      values = List.copyOf(values);
    }

    private Set<String> indices() {
      return IntStream.range(0, values.size())
          .mapToObj(String::valueOf)
          .collect(Collectors.toSet());
    }

    private Sequence overlaid(Mapping top) {
      List<ConfigNode> merged = new ArrayList<>(values);
      top.values.forEach(
          (index, value) ->
              merged.set(
                  Integer.parseInt(index), overlay(merged.get(Integer.parseInt(index)), value)));
      return new Sequence(top.place, merged);
    }

    @Override
    public ArrayNode toJson() {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      values.forEach(value -> array.add(value.toJson()));
      return array;
    }
  }

  /** A string, number, boolean or null. */
  record Scalar(String place, JsonNode value) implements ConfigNode {
    @Override
    public JsonNode toJson() {
      return value;
    }
  }
}
