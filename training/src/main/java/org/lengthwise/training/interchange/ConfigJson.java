package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.GitLfsPointer;

/**
 * An object of a JSON file of a model. A key without a value, or with the value null, is absent and
 * has its default.
 *
 * @param where the file, and after a colon the keys of the objects around this one
 */
record ConfigJson(String where, ObjectNode json) {
  /** Larger than any file that describes a model, and small enough to be read at once. */
  private static final long LONGEST = 100_000_000;

  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  static ConfigJson read(Path file) throws IOException {
    GitLfsPointer.refuse(file);
    long size = Files.size(file);
    String found = size + " bytes";
    if (size <= LONGEST) {
      byte[] content = Files.readAllBytes(file);
      try {
        if (MAPPER.readTree(content) instanceof ObjectNode object) {
          return new ConfigJson(file + ": ", object);
        }
        found = "another JSON value";
      } catch (IOException e) {
        found = JsonFault.inWords(e);
      }
    }
    throw new DataFormatException(
        file.toString(), "a JSON object", found, "download the file again");
  }

  boolean has(String key) {
    return json.hasNonNull(key);
  }

  ConfigJson object(String key) {
    if (has(key) && !json.path(key).isObject()) {
      throw refused(key, "an object");
    }
    return new ConfigJson(
        where + key + ".", has(key) ? (ObjectNode) json.path(key) : MAPPER.createObjectNode());
  }

  /** This object, with the keys of another one in place of its own. */
  ConfigJson overlaid(ConfigJson other) {
    ObjectNode all = json.deepCopy();
    other.json.properties().stream()
        .filter(field -> !field.getValue().isNull())
        .forEach(field -> all.set(field.getKey(), field.getValue()));
    return new ConfigJson(other.json.isEmpty() ? where : other.where, all);
  }

  int size(String key) {
    return integer(key, 1);
  }

  int size(String key, int absent) {
    return has(key) ? size(key) : absent;
  }

  int integer(String key, int least) {
    JsonNode value = json.path(key);
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < least) {
      throw refused(key, least == 1 ? "a positive integer" : "an integer of at least " + least);
    }
    return value.intValue();
  }

  double number(String key) {
    return positive(key, json.path(key), "a positive number");
  }

  double number(String key, double absent) {
    return has(key) ? number(key) : absent;
  }

  List<Double> numbers(String key) {
    return elements(key).map(value -> positive(key, value, "a list of positive numbers")).toList();
  }

  private double positive(String key, JsonNode value, String expected) {
    if (!value.isNumber() || !(value.doubleValue() > 0) || Double.isInfinite(value.doubleValue())) {
      throw refused(key, expected);
    }
    return value.doubleValue();
  }

  Stream<JsonNode> elements(String key) {
    return StreamSupport.stream(json.path(key).spliterator(), false);
  }

  boolean flag(String key, boolean absent) {
    if (has(key) && !json.path(key).isBoolean()) {
      throw refused(key, "true or false");
    }
    return has(key) ? json.path(key).booleanValue() : absent;
  }

  String word(String key, String absent, Collection<String> words) {
    String found = has(key) ? json.path(key).asText() : absent;
    if (!words.contains(found)) {
      throw refused(key, String.join(", ", words).replaceFirst(", ([^,]*)$", " or $1"));
    }
    return found;
  }

  /** Refuses a value that the decoder does not compute. */
  void require(String key, boolean expected) {
    if (flag(key, expected) != expected) {
      throw refused(key, String.valueOf(expected));
    }
  }

  ConfigException refused(String key, String expected) {
    return refused(List.of(key), expected, "no such key");
  }

  /**
   * Refuses the value of the first of some keys that this object has, or one of the objects in it.
   */
  ConfigException refused(List<String> keys, String expected, String absent) {
    String key = keys.stream().filter(json::has).findFirst().orElse(keys.get(0));
    for (Map.Entry<String, JsonNode> inner : json.properties()) {
      if (!json.has(key) && keys.stream().anyMatch(inner.getValue()::hasNonNull)) {
        return object(inner.getKey()).refused(keys, expected, absent);
      }
    }
    JsonNode value = json.path(key);
    return new ConfigException(
        where + key,
        expected,
        value.isMissingNode() ? absent : value.isTextual() ? value.textValue() : value.toString(),
        "use a model that the decoder can compute, with its own config.json");
  }
}
