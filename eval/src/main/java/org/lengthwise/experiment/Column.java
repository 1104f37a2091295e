package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.LayeredConfig;

/**
 * An entry of {@code columns}: runs that share all settings but their seeds, or several such
 * columns that differ in the values of some keys. In YAML it is the name of a file, or a mapping
 * with the keys {@code files}, {@code seeds}, {@code vary}, and keys of a training configuration.
 *
 * @param files files with training keys, relative to the experiment file; later ones override
 * @param seeds the seeds; empty for those of the experiment
 * @param vary lists of values by key path, such as {@code task.name}. Each combination of values is
 *     a column, whose name is followed by its values.
 * @param keys other training keys, which override the files
 */
record Column(
    @AbsentMeans(value = "[]", inYaml = true) List<String> files,
    @AbsentMeans(value = "[]", inYaml = true) List<Long> seeds,
    @AbsentMeans(value = "{}", inYaml = true) ObjectNode vary,
    ObjectNode keys) {
  private static final String FILES = "files";
  private static final String SEEDS = "seeds";
  private static final String VARY = "vary";

  /** Requires a name or a file, and values for each varied key. */
  Column {
    files = List.copyOf(files);
    seeds = List.copyOf(seeds);
    Checks.require(
        !files.isEmpty() || keys.has("name"), "columns", "files or a name for each column", keys);
    for (Map.Entry<String, JsonNode> values : vary.properties()) {
      Checks.require(
          values.getValue().isArray() && !values.getValue().isEmpty(),
          "vary." + values.getKey(),
          "a list of values",
          values.getValue());
    }
  }

  /**
   * Reads an entry.
   *
   * @param entry the name of a file, or a mapping
   * @return the column
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Column of(JsonNode entry) {
    ObjectNode none = JsonNodeFactory.instance.objectNode();
    if (entry.isTextual()) {
      return new Column(List.of(entry.textValue()), List.of(), none, none);
    }
    Checks.require(entry.isObject(), "columns", "the name of a file, or a mapping", entry);
    ObjectNode keys = ((ObjectNode) entry).deepCopy();
    List<JsonNode> files = list(keys.remove(FILES), FILES, JsonNode::isTextual);
    List<JsonNode> seeds = list(keys.remove(SEEDS), SEEDS, JsonNode::isIntegralNumber);
    JsonNode vary = keys.has(VARY) ? keys.remove(VARY) : none;
    Checks.require(vary.isObject(), VARY, "a mapping of key paths to lists", vary);
    return new Column(
        files.stream().map(JsonNode::textValue).toList(),
        seeds.stream().map(JsonNode::longValue).toList(),
        (ObjectNode) vary,
        keys);
  }

  private static List<JsonNode> list(
      @Nullable JsonNode values, String key, Predicate<JsonNode> isValid) {
    if (values == null) {
      return List.of();
    }
    List<JsonNode> list = StreamSupport.stream(values.spliterator(), false).toList();
    Checks.require(
        values.isArray() && list.stream().allMatch(isValid), key, "a list of " + key, values);
    return list;
  }

  /**
   * The configurations of the columns, without seeds.
   *
   * @param base the experiment, with the files of this column on top
   * @param entry the keys of this entry
   */
  List<LayeredConfig> on(LayeredConfig base, LayeredConfig entry) {
    LayeredConfig own = base.overlay(entry.without(FILES).without(SEEDS).without(VARY));
    return combinations().stream()
        .map(
            settings -> {
              String name = own.tree().path("name").asText();
              List<String> all = new ArrayList<>(settings);
              if (!settings.isEmpty()) {
                all.add("name=" + String.join("-", names(name, settings)));
              }
              return own.with(all);
            })
        .toList();
  }

  private static List<String> names(String name, List<String> settings) {
    return Stream.concat(
            Stream.of(name),
            settings.stream().map(setting -> setting.substring(setting.indexOf('=') + 1)))
        .toList();
  }

  /** The settings of each combination of varied values, the first key changes slowest. */
  private List<List<String>> combinations() {
    List<List<String>> combinations = List.of(List.of());
    for (Map.Entry<String, JsonNode> varied : vary.properties()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> before : combinations) {
        for (JsonNode value : varied.getValue()) {
          longer.add(
              Stream.concat(before.stream(), Stream.of(varied.getKey() + "=" + value.asText()))
                  .toList());
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
