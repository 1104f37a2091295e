package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** A configuration whose every value knows where it was set; immutable. */
public final class LayeredConfig {
  LayeredConfig() {}

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
    return pending();
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
    return pending();
  }

  /**
   * Refuses top-level keys that nobody reads, for a command that binds section by section.
   *
   * @param sections the keys that the command reads
   * @throws org.lengthwise.dataprep.ConfigException when there is another one
   */
  public void requireOnly(List<String> sections) {
    pending();
  }

  /**
   * The resolved values, without their places.
   *
   * @return a copy, the caller's own
   */
  public ObjectNode tree() {
    return pending();
  }

  /**
   * Lays another file, with everything that it extends, over this configuration.
   *
   * @param file the YAML file, whose keys win
   * @return the result
   */
  public LayeredConfig overlay(Path file) {
    return pending();
  }

  /**
   * Lays settings over this configuration.
   *
   * @param settings assignments {@code key.path=value}, the value in YAML
   * @return the result
   */
  public LayeredConfig with(List<String> settings) {
    return pending();
  }

  /**
   * Leaves out a top-level key.
   *
   * @param topLevelKey the key, which need not be present
   * @return the result
   */
  public LayeredConfig without(String topLevelKey) {
    return pending();
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T pending() {
    throw new UnsupportedOperationException();
  }
}
