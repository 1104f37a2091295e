package org.lengthwise.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads YAML into nodes with their places. Scalars follow the core schema of YAML 1.2. */
final class YamlReader {
  private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  private final String where;
  private final Function<Mark, String> places;

  private YamlReader(String where, Function<Mark, String> places) {
    this.where = where;
    this.places = places;
  }

  static ConfigNode.Mapping readFile(String file, String content) {
    YamlReader reader = new YamlReader(file, mark -> file + ":" + (mark.getLine() + 1));
    Node root = reader.compose(content);
    if (root == null) {
      throw new ConfigException(
          file, "keys and values", "an empty file", "fill the file, or remove it from `extends`");
    }
    String place = reader.places.apply(root.getStartMark());
    if (reader.node(root, place) instanceof ConfigNode.Mapping mapping) {
      return mapping;
    }
    throw new ConfigException(
        place, "keys and values", "a single value or a list", "write `key: value` lines");
  }

  /** Reads the value of a setting; all its nodes have the same place. */
  static ConfigNode readValue(String place, String content) {
    YamlReader reader = new YamlReader(place, mark -> place);
    Node root = reader.compose(content);
    return root == null
        ? new ConfigNode.Scalar(place, JsonNodeFactory.instance.nullNode())
        : reader.node(root, place);
  }

  private @Nullable Node compose(String content) {
    try {
      return new Yaml(new LoaderOptions()).compose(new StringReader(content));
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark();
      String place = mark == null ? where : places.apply(mark);
      throw new ConfigException(
          place, "YAML", "a syntax error: " + e.getProblem(), "correct that line", e);
    } catch (YAMLException e) {
      throw new ConfigException(where, "YAML", String.valueOf(e.getMessage()), "correct it", e);
    }
  }

  private ConfigNode node(Node node, String place) {
    if (node instanceof MappingNode mapping) {
      return mapping(mapping, place);
    }
    if (node instanceof SequenceNode sequence) {
      List<ConfigNode> values = new ArrayList<>();
      for (Node value : sequence.getValue()) {
        values.add(node(value, places.apply(value.getStartMark())));
      }
      return new ConfigNode.Sequence(place, values);
    }
    return new ConfigNode.Scalar(place, scalar((ScalarNode) node));
  }

  private ConfigNode.Mapping mapping(MappingNode node, String place) {
    Map<String, ConfigNode> values = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      String keyPlace = places.apply(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw new ConfigException(keyPlace, "a key", "a list or a mapping", "write `key: value`");
      }
      ConfigNode earlier = values.get(key.getValue());
      if (earlier != null) {
        throw new ConfigException(
            keyPlace,
            "every key once",
            "`%s` again, after %s".formatted(key.getValue(), earlier.place()),
            "remove one of the two");
      }
      values.put(key.getValue(), node(tuple.getValueNode(), keyPlace));
    }
    return new ConfigNode.Mapping(place, values);
  }

  private static JsonNode scalar(ScalarNode node) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    String text = node.getValue();
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return json.textNode(text);
    }
    if (NULL.matcher(text).matches()) {
      return json.nullNode();
    }
    if (BOOLEAN.matcher(text).matches()) {
      return json.booleanNode(Boolean.parseBoolean(text));
    }
    if (INTEGER.matcher(text).matches()) {
      return integer(new BigInteger(text));
    }
    return FLOAT.matcher(text).matches()
        ? json.numberNode(Double.parseDouble(text))
        : json.textNode(text);
  }

  /** An int, else a long, else a BigInteger: the smallest type that holds the value. */
  private static JsonNode integer(BigInteger value) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (value.bitLength() < Integer.SIZE) {
      return json.numberNode(value.intValue());
    }
    return value.bitLength() < Long.SIZE
        ? json.numberNode(value.longValue())
        : json.numberNode(value);
  }
}
