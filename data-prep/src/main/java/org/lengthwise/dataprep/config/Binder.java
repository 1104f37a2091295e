package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;

/**
 * Reads a node into a record, and turns what Jackson refuses into a message with the node's place.
 */
final class Binder {
  private final String name;
  private final ConfigNode root;
  private final ObjectMapper mapper = StrictMapper.create();
  private final Kinds kinds = new Kinds(mapper);

  /**
   * Prepares to read a node.
   *
   * @param name the node's own path, empty for the whole configuration
   * @param root the node
   */
  Binder(String name, ConfigNode root) {
    this.name = name;
    this.root = root;
  }

  <T> T bind(Class<T> type) {
    requireNoNull(name, root);
    try {
      return mapper.treeToValue(root.toJson(), type);
    } catch (UnrecognizedPropertyException e) {
      throw unknownKey(e);
    } catch (InvalidTypeIdException e) {
      throw unknownChoice(e);
    } catch (ValueInstantiationException e) {
      throw refusedValue(e);
    } catch (MismatchedInputException e) {
      throw nodeAt(e.getPath()) == null ? missingKey(e) : wrongKind(e, e.getTargetType());
    } catch (JsonMappingException e) {
      throw wrongKind(e, null);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be malformed", e);
    }
  }

  private static void requireNoNull(String path, ConfigNode node) {
    if (node instanceof ConfigNode.Mapping mapping) {
      mapping
          .values()
          .forEach((key, value) -> requireNoNull(path.isEmpty() ? key : path + "." + key, value));
    } else if (node instanceof ConfigNode.Sequence sequence) {
      sequence.values().forEach(value -> requireNoNull(path + "[]", value));
    } else if (node.toJson().isNull()) {
      throw new ConfigException(
          node.origin().place(),
          "a value for `%s`".formatted(path),
          "nothing",
          "give it a value, or remove the key");
    }
  }

  private ConfigException unknownKey(UnrecognizedPropertyException e) {
    List<String> known = e.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
    return unknownKey(nearest(e.getPath()), path(e), e.getPropertyName(), known, e);
  }

  private static ConfigException unknownKey(
      ConfigNode node, String path, String wrong, List<String> known, JsonMappingException cause) {
    return new ConfigException(
        node.origin().place(),
        "one of the keys " + String.join(", ", known),
        "`%s`%s".formatted(path, Suggestion.among(wrong, known)),
        "correct or remove it",
        cause);
  }

  /**
   * A key that is missing, or stands there misspelt, which Jackson would notice only afterwards.
   */
  private ConfigException missingKey(MismatchedInputException e) {
    JsonMappingException.Reference step = e.getPath().get(e.getPath().size() - 1);
    ConfigNode owner = nearest(e.getPath());
    if (step.getFrom() instanceof Class<?> type && step.getFieldName() != null) {
      List<String> known = kinds.keys(type);
      Map<String, ConfigNode> unknown = new TreeMap<>(children(owner));
      unknown.keySet().removeAll(known);
      Optional<String> misspelt = Suggestion.nearest(step.getFieldName(), unknown.keySet());
      if (misspelt.isPresent()) {
        String wrong = misspelt.get();
        String path = path(e).substring(0, path(e).length() - step.getFieldName().length()) + wrong;
        return unknownKey(Objects.requireNonNull(unknown.get(wrong)), path, wrong, known, e);
      }
    }
    return new ConfigException(
        owner.origin().place(),
        "the key `%s` (%s)".formatted(path(e), kinds.expected(e.getTargetType())),
        "no such key",
        "add it, or extend a file that has it",
        e);
  }

  private ConfigException wrongKind(JsonMappingException e, @Nullable Class<?> target) {
    ConfigNode node = nearest(e.getPath());
    JsonNode value = node.toJson();
    Collection<String> names = kinds.constants(target);
    return new ConfigException(
        node.origin().place(),
        "%s for `%s`".formatted(kinds.expected(target), path(e)),
        Kinds.found(value) + Suggestion.among(value.asText(), names),
        "correct the value",
        e);
  }

  private ConfigException unknownChoice(InvalidTypeIdException e) {
    ConfigNode node = nearest(e.getPath());
    String wrong = e.getTypeId();
    List<String> names = kinds.choices(e.getBaseType());
    String expected = "one of " + String.join(", ", names);
    if (wrong == null) {
      return new ConfigException(
          node.origin().place(),
          "a key that says which: " + expected,
          e.getOriginalMessage(),
          "add it",
          e);
    }
    ConfigNode place =
        children(node).values().stream()
            .filter(child -> child.toJson().asText().equals(wrong))
            .findFirst()
            .orElse(node);
    return new ConfigException(
        place.origin().place(),
        expected,
        "`%s`%s".formatted(wrong, Suggestion.among(wrong, names)),
        "correct the name",
        e);
  }

  /** What a record's constructor refused, at the key that its message names first. */
  private ConfigException refusedValue(ValueInstantiationException e) {
    if (!(e.getCause() instanceof IllegalArgumentException refusal)) {
      throw new IllegalStateException("cannot make a " + e.getType(), e);
    }
    String message = String.valueOf(refusal.getMessage());
    ConfigNode node = nearest(e.getPath());
    Optional<Map.Entry<String, ConfigNode>> culprit =
        children(node).entrySet().stream()
            .filter(child -> mention(message, child.getKey()).isPresent())
            .min(Comparator.comparingInt(child -> mention(message, child.getKey()).getAsInt()));
    String place = culprit.map(Map.Entry::getValue).orElse(node).origin().place();
    String owner = path(e).isEmpty() ? "the configuration" : "`" + path(e) + "`";
    return new ConfigException(
        place, "values that " + owner + " accepts", message, "correct the value", e);
  }

  /** Where a message names a key, in the spelling of YAML or of Java. */
  private static OptionalInt mention(String message, String key) {
    String camelCase =
        Pattern.compile("_(.)")
            .matcher(key)
            .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    Matcher matcher =
        Pattern.compile("\\b(" + Pattern.quote(key) + "|" + Pattern.quote(camelCase) + ")\\b")
            .matcher(message);
    return matcher.find() ? OptionalInt.of(matcher.start()) : OptionalInt.empty();
  }

  private static Map<String, ConfigNode> children(ConfigNode node) {
    return node instanceof ConfigNode.Mapping mapping ? mapping.values() : Map.of();
  }

  private @Nullable ConfigNode nodeAt(List<JsonMappingException.Reference> path) {
    ConfigNode node = root;
    for (JsonMappingException.Reference step : path) {
      node = child(node, step);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  /** The node at a path, or the last one on the way to it. */
  private ConfigNode nearest(List<JsonMappingException.Reference> path) {
    ConfigNode node = root;
    for (JsonMappingException.Reference step : path) {
      ConfigNode next = child(node, step);
      if (next == null) {
        break;
      }
      node = next;
    }
    return node;
  }

  private static @Nullable ConfigNode child(ConfigNode node, JsonMappingException.Reference step) {
    if (node instanceof ConfigNode.Sequence sequence) {
      int index = step.getIndex();
      return index >= 0 && index < sequence.values().size() ? sequence.values().get(index) : null;
    }
    return children(node).get(String.valueOf(step.getFieldName()));
  }

  private String path(JsonMappingException e) {
    StringBuilder path = new StringBuilder(name);
    for (JsonMappingException.Reference step : e.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }
}
