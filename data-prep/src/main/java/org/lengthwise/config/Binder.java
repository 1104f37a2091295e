package org.lengthwise.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.error.Nearest;

/**
 * Reads a node into a record. Errors of Jackson become messages that name the file and line of the
 * value.
 */
final class Binder {
  private final String name;
  private final ConfigNode root;
  private final ObjectMapper mapper = StrictMapper.forConfiguration();
  private final TypeWords words = new TypeWords(mapper);

  /** The name is the node's path, empty for the whole configuration. */
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
      throw rejectedValue(e);
    } catch (MismatchedInputException e) {
      throw nodeAt(e.getPath()) == null ? missingKey(e) : wrongKind(e, e.getTargetType());
    } catch (JsonMappingException e) {
      throw wrongKind(e, null);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory is well-formed", e);
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
          node.place(),
          "a value for `%s`".formatted(path),
          "nothing",
          "give it a value, or remove the key");
    }
  }

  private static @Nullable ConfigNode below(ConfigNode start, String path) {
    ConfigNode node = start;
    for (String key : path.split("\\.", -1)) {
      node = node == null ? null : children(node).get(key);
    }
    return node;
  }

  private ConfigException unknownKey(UnrecognizedPropertyException e) {
    List<String> known = e.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
    return unknownKey(nearest(e.getPath()), path(e), e.getPropertyName(), known, e);
  }

  private static ConfigException unknownKey(
      ConfigNode node, String path, String wrong, List<String> known, JsonMappingException cause) {
    return new ConfigException(
        node.place(),
        "one of the keys " + String.join(", ", known),
        "`%s`%s".formatted(path, Nearest.suggestion(wrong, known)),
        "correct or remove it",
        cause);
  }

  /** A missing key. If the record has it under a misspelt name, the message says so. */
  private ConfigException missingKey(MismatchedInputException e) {
    JsonMappingException.Reference reference = e.getPath().get(e.getPath().size() - 1);
    ConfigNode owner = nearest(e.getPath());
    if (reference.getFrom() instanceof Class<?> type && reference.getFieldName() != null) {
      List<String> known = words.keys(type);
      Map<String, ConfigNode> unknown = new TreeMap<>(children(owner));
      unknown.keySet().removeAll(known);
      Optional<String> misspelt = Nearest.name(reference.getFieldName(), unknown.keySet());
      if (misspelt.isPresent()) {
        String wrong = misspelt.get();
        ConfigNode value = Objects.requireNonNull(unknown.get(wrong));
        return unknownKey(value, sibling(e, wrong), wrong, known, e);
      }
    }
    return new ConfigException(
        owner.place(),
        "the key `%s` (%s)".formatted(path(e), words.expected(e.getTargetType())),
        "no such key",
        "add it, or extend a file that has it",
        e);
  }

  private String sibling(JsonMappingException e, String key) {
    String path = path(e);
    return path.substring(0, path.lastIndexOf('.') + 1) + key;
  }

  private ConfigException wrongKind(JsonMappingException e, @Nullable Class<?> target) {
    ConfigNode node = nearest(e.getPath());
    JsonNode value = node.toJson();
    Collection<String> names = words.constants(target);
    return new ConfigException(
        node.place(),
        "%s for `%s`".formatted(words.expected(target), path(e)),
        TypeWords.found(value) + Nearest.suggestion(value.asText(), names),
        "correct the value",
        e);
  }

  private ConfigException unknownChoice(InvalidTypeIdException e) {
    ConfigNode node = nearest(e.getPath());
    String wrong = e.getTypeId();
    List<String> names = words.choices(e.getBaseType(), e.getPath());
    String expected = "one of " + String.join(", ", names);
    if (wrong == null) {
      return new ConfigException(
          node.place(), "a key that chooses " + expected, e.getOriginalMessage(), "add it", e);
    }
    ConfigNode place =
        children(node).values().stream()
            .filter(child -> child.toJson().asText().equals(wrong))
            .findFirst()
            .orElse(node);
    return new ConfigException(
        place.place(),
        expected,
        "`%s`%s".formatted(wrong, Nearest.suggestion(wrong, names)),
        "correct the name",
        e);
  }

  /** A value that a record's constructor rejected, at the line of its key. */
  private ConfigException rejectedValue(ValueInstantiationException e) {
    // The record read a file, and the error is the file's own.
    if (e.getCause() instanceof ConfigException missing) {
      throw missing;
    }
    if (e.getCause() instanceof DataFormatException damaged) {
      throw damaged;
    }
    if (!(e.getCause() instanceof IllegalArgumentException rejection)) {
      throw new IllegalStateException("cannot create a " + e.getType(), e);
    }
    ConfigNode record = nearest(e.getPath());
    if (rejection instanceof InvalidValueException invalid) {
      boolean isWhole = invalid.key().isEmpty();
      ConfigNode value = isWhole ? record : below(record, invalid.key());
      if (value != null) {
        String path =
            isWhole ? path(e) : path(e).isEmpty() ? invalid.key() : path(e) + "." + invalid.key();
        return new ConfigException(
            value.place(),
            "%s for `%s`".formatted(invalid.expected(), path),
            invalid.found(),
            "correct the value",
            e);
      }
    }
    String owner = path(e).isEmpty() ? "the configuration" : "`" + path(e) + "`";
    return new ConfigException(
        record.place(),
        "values that " + owner + " accepts",
        String.valueOf(rejection.getMessage()),
        "correct the value",
        e);
  }

  private static Map<String, ConfigNode> children(ConfigNode node) {
    if (node instanceof ConfigNode.Sequence sequence) {
      return IntStream.range(0, sequence.values().size())
          .boxed()
          .collect(Collectors.toMap(String::valueOf, sequence.values()::get));
    }
    return node instanceof ConfigNode.Mapping mapping ? mapping.values() : Map.of();
  }

  private @Nullable ConfigNode nodeAt(List<JsonMappingException.Reference> path) {
    ConfigNode node = root;
    for (JsonMappingException.Reference reference : path) {
      node = child(node, reference);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  /** The node at a path, or its nearest ancestor if there is no such node. */
  private ConfigNode nearest(List<JsonMappingException.Reference> path) {
    ConfigNode node = root;
    for (JsonMappingException.Reference reference : path) {
      ConfigNode next = child(node, reference);
      if (next == null) {
        break;
      }
      node = next;
    }
    return node;
  }

  private static @Nullable ConfigNode child(
      ConfigNode node, JsonMappingException.Reference reference) {
    boolean isEntry = reference.getFieldName() == null;
    return children(node)
        .get(isEntry ? String.valueOf(reference.getIndex()) : reference.getFieldName());
  }

  private String path(JsonMappingException e) {
    StringBuilder path = new StringBuilder(name);
    for (JsonMappingException.Reference reference : e.getPath()) {
      if (reference.getFieldName() == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
      }
    }
    return path.toString();
  }
}
