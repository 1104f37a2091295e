package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.dataprep.ConfigException;

/** A configuration whose every value knows where it was set; immutable. */
public final class LayeredConfig {
  private final ConfigNode.Mapping root;

  LayeredConfig(ConfigNode.Mapping root) {
    this.root = root;
  }

  /**
   * Reads the whole configuration into a record.
   *
   * @param <T> the record's type
   * @param type the record's class
   * @return the record
   * @throws org.lengthwise.dataprep.ConfigException when a key is unknown, missing, mistyped or
   *     refused
   */
  public <T> T bind(Class<T> type) {
    return new Binder("", root).bind(type);
  }

  /**
   * Reads one top-level section into a record.
   *
   * @param <T> the record's type
   * @param section the top-level key
   * @param type the record's class
   * @return the record
   * @throws org.lengthwise.dataprep.ConfigException when the section is missing, or a key in it is
   *     unknown, missing, mistyped or refused
   */
  public <T> T bind(String section, Class<T> type) {
    ConfigNode node = root.values().get(section);
    if (node == null) {
      throw new ConfigException(
          root.origin().place(),
          "the section `%s`".formatted(section),
          "none" + Suggestion.among(section, root.values().keySet()),
          "add it, or extend a file that has it");
    }
    return new Binder(section, node).bind(type);
  }

  /**
   * Refuses top-level keys that nobody reads, for a command that binds section by section.
   *
   * @param sections the keys that the command reads
   * @throws org.lengthwise.dataprep.ConfigException when there is another one
   */
  public void requireOnly(List<String> sections) {
    root.values()
        .forEach(
            (key, value) -> {
              if (!sections.contains(key)) {
                throw new ConfigException(
                    value.origin().place(),
                    "one of the keys " + String.join(", ", sections),
                    "`%s`%s".formatted(key, Suggestion.among(key, sections)),
                    "correct or remove it");
              }
            });
  }

  /**
   * The resolved values, without their places.
   *
   * @return a copy, the caller's own
   */
  public ObjectNode tree() {
    return root.toJson();
  }

  /**
   * Lays another file, with everything that it extends, over this configuration.
   *
   * @param file the YAML file, whose keys win
   * @return the result
   */
  public LayeredConfig overlay(Path file) {
    return new LayeredConfig(root.overlaid(Layers.file(file)));
  }

  /**
   * Lays settings over this configuration.
   *
   * @param settings assignments {@code key.path=value}, the value in YAML
   * @return the result
   */
  public LayeredConfig with(List<String> settings) {
    ConfigNode.Mapping result = root;
    for (String setting : settings) {
      result = result.overlaid(Layers.setting(setting));
    }
    return new LayeredConfig(result);
  }

  /**
   * Leaves out a top-level key.
   *
   * @param topLevelKey the key, which need not be present
   * @return the result
   */
  public LayeredConfig without(String topLevelKey) {
    return new LayeredConfig(root.without(topLevelKey));
  }
}
