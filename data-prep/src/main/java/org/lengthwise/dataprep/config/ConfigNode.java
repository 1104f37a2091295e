package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of the configuration together with the place where it was set; immutable. */
sealed interface ConfigNode {

  /** Where the value was set: the line of its key. */
  Origin origin();

  /** The value without its place, a copy. */
  JsonNode toJson();

  /**
   * Values by key, in the order in which they were first set.
   *
   * @param origin where the mapping was last touched
   * @param values the values
   */
  record Mapping(Origin origin, Map<String, ConfigNode> values) implements ConfigNode {
    /** Checks the values. */
    public Mapping {
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Lays another mapping over this one: mappings merge, anything else is replaced. */
    Mapping overlaid(Mapping top) {
      Map<String, ConfigNode> merged = new LinkedHashMap<>(values);
      top.values.forEach(
          (key, value) ->
              merged.merge(
                  key,
                  value,
                  (below, above) ->
                      below instanceof Mapping lower && above instanceof Mapping upper
                          ? lower.overlaid(upper)
                          : above));
      return new Mapping(top.origin, merged);
    }

    Mapping without(String key) {
      Map<String, ConfigNode> rest = new LinkedHashMap<>(values);
      rest.remove(key);
      return new Mapping(origin, rest);
    }

    @Override
    public ObjectNode toJson() {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      values.forEach((key, value) -> object.set(key, value.toJson()));
      return object;
    }
  }

  /**
   * Values in a row.
   *
   * @param origin where the sequence was set
   * @param values the values
   */
  record Sequence(Origin origin, List<ConfigNode> values) implements ConfigNode {
    /** Checks the values. */
    public Sequence {
      values = List.copyOf(values);
    }

    @Override
    public ArrayNode toJson() {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      values.forEach(value -> array.add(value.toJson()));
      return array;
    }
  }

  /**
   * A single value.
   *
   * @param origin where it was set
   * @param value a string, number, boolean or null
   */
  record Scalar(Origin origin, JsonNode value) implements ConfigNode {
    @Override
    public JsonNode toJson() {
      return value;
    }
  }
}
