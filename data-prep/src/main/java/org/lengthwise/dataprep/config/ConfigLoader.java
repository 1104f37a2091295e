package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;

/** Reads configuration files, and makes the mapper by which all artifacts are read and written. */
public final class ConfigLoader {
  private ConfigLoader() {}

  /**
   * Reads a file with everything that it extends, and lays settings over it.
   *
   * <p>A file may list others under a top-level {@code extends}, as paths relative to itself; they
   * are applied first, in order, and its own keys win. Mappings merge key by key; anything else
   * replaces what was there.
   *
   * @param file the YAML file (JSON is YAML too)
   * @param settings assignments {@code key.path=value} that win over every file, the value in YAML
   * @return the layered configuration
   * @throws org.lengthwise.dataprep.ConfigException when a file cannot be read or a setting makes
   *     no sense
   */
  public static LayeredConfig load(Path file, List<String> settings) {
    return new LayeredConfig(Layers.file(file)).with(settings);
  }

  /**
   * The JSON mapper for artifacts and configuration alike: snake_case keys, enum constants in
   * kebab-case, unknown and missing keys refused, no coercion between types, floating-point numbers
   * that survive the round trip.
   *
   * @return a new mapper
   */
  public static ObjectMapper strictMapper() {
    return StrictMapper.create();
  }
}
