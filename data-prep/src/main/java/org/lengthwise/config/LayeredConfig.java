package org.lengthwise.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Nearest;

/** A configuration in which each value has the place where it was set; immutable. */
public final class LayeredConfig {
  private final ConfigNode.Mapping root;

  LayeredConfig(ConfigNode.Mapping root) {
    this.root = root;
  }

  /** {@return a configuration without keys} */
  public static LayeredConfig none() {
    return new LayeredConfig(new ConfigNode.Mapping("", Map.of()));
  }

  /** {@return a configuration of values that all come from one place} */
  public static LayeredConfig of(ObjectNode values, String place) {
    return new LayeredConfig(ConfigNode.Mapping.of(values, place));
  }

  /**
   * Reads the whole configuration into a record.
   *
   * @param <T> the record's type
   * @throws org.lengthwise.error.ConfigException if a key is unknown or missing, or its value is
   *     mistyped or rejected
   */
  public <T> T bind(Class<T> type) {
    return new Binder("", root).bind(type);
  }

  /**
   * Reads one top-level section into a record.
   *
   * @param <T> the record's type
   * @throws org.lengthwise.error.ConfigException if the section or a key is missing, a key is
   *     unknown, or a value is mistyped or rejected
   */
  public <T> T bind(String section, Class<T> type) {
    ConfigNode node = root.values().get(section);
    if (node == null) {
      throw new ConfigException(
          root.place(),
          "the section `%s`".formatted(section),
          "none" + Nearest.suggestion(section, root.values().keySet()),
          "add it, or extend a file that has it");
    }
    return new Binder(section, node).bind(type);
  }

  /** Rejects unknown top-level keys, for a command that binds section by section. */
  public void requireOnly(List<String> sections) {
    root.values()
        .forEach(
            (key, value) -> {
              if (!sections.contains(key)) {
                throw new ConfigException(
                    value.place(),
                    "one of the keys " + String.join(", ", sections),
                    "`%s`%s".formatted(key, Nearest.suggestion(key, sections)),
                    "correct or remove it");
              }
            });
  }

  /** {@return a copy of the resolved values, without their places} */
  public ObjectNode tree() {
    return root.toJson();
  }

  /** Puts another file, with the files that it extends, on top of this configuration. */
  public LayeredConfig overlay(Path file) {
    return new LayeredConfig(root.overlaid(ConfigLoader.read(file)));
  }

  public LayeredConfig overlay(LayeredConfig top) {
    return new LayeredConfig(root.overlaid(top.root));
  }

  /**
   * {@return the mappings of a list in a section, each as a configuration of its own; without keys
   * for an entry that is no mapping}
   */
  public List<LayeredConfig> entries(String section, String list) {
    return root.values().get(section) instanceof ConfigNode.Mapping mapping
            && mapping.values().get(list) instanceof ConfigNode.Sequence sequence
        ? sequence.values().stream().map(LayeredConfig::of).toList()
        : List.of();
  }

  private static LayeredConfig of(ConfigNode node) {
    return new LayeredConfig(
        node instanceof ConfigNode.Mapping mapping
            ? mapping
            : new ConfigNode.Mapping(node.place(), Map.of()));
  }

  /** Applies settings {@code key.path=value}, the value in YAML. */
  public LayeredConfig with(List<String> settings) {
    return with("--set", settings);
  }

  /** The same of settings that errors name by their origin. */
  public LayeredConfig with(String origin, List<String> settings) {
    ConfigNode.Mapping result = root;
    for (String setting : settings) {
      result = result.overlaid(ConfigLoader.setting(origin, setting));
    }
    return new LayeredConfig(result);
  }

  public LayeredConfig without(String topLevelKey) {
    return new LayeredConfig(root.without(topLevelKey));
  }
}
