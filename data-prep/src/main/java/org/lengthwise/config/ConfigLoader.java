package org.lengthwise.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.error.ConfigException;
import org.lengthwise.input.TextFile;

/** Reads configuration files; creates the JSON mapper of all artifacts. */
public final class ConfigLoader {
  private static final String EXTENDS = "extends";

  private ConfigLoader() {}

  /**
   * Reads a file and the files that it extends, and applies settings.
   *
   * <p>A file may list others under the top-level key {@code extends}, as paths relative to the
   * file. Those files are applied first, in order. Then the keys of the file itself are applied.
   * Mappings merge key by key; any other value replaces the earlier one.
   *
   * @param file the YAML file (JSON is YAML too)
   * @param settings assignments {@code key.path=value}, the value in YAML; they override all files
   */
  public static LayeredConfig load(Path file, List<String> settings) {
    return new LayeredConfig(read(file)).with(settings);
  }

  /**
   * {@return a new JSON mapper for artifacts} Keys are snake_case, enum constants kebab-case.
   * Unknown and missing keys are errors, types are not coerced, floating-point numbers keep every
   * digit.
   */
  public static ObjectMapper strictMapper() {
    return StrictMapper.forArtifacts();
  }

  static ConfigNode.Mapping read(Path file) {
    return read(file, file.toString(), List.of());
  }

  /** One setting {@code key.path=value}, as a mapping of one leaf. */
  static ConfigNode.Mapping setting(String origin, String setting) {
    String place = origin + " " + setting;
    int equals = setting.indexOf('=');
    String path = equals < 0 ? setting : setting.substring(0, equals);
    List<String> keys = List.of(path.split("\\.", -1));
    if (equals < 0 || keys.stream().anyMatch(String::isBlank)) {
      throw new ConfigException(
          place,
          "key.path=value",
          equals < 0 ? "no equals sign" : "an empty key",
          "write for example --set training.steps=100");
    }
    ConfigNode node = YamlReader.readValue(place, setting.substring(equals + 1));
    for (int i = keys.size() - 1; i > 0; i--) {
      node = new ConfigNode.Mapping(place, Map.of(keys.get(i), node));
    }
    return new ConfigNode.Mapping(place, Map.of(keys.get(0), node));
  }

  private static ConfigNode.Mapping read(Path file, String askedAt, List<Path> below) {
    Path identity = file.toAbsolutePath().normalize();
    if (below.contains(identity)) {
      throw new ConfigException(
          askedAt,
          "files that do not extend each other in a circle",
          "%s, which extends this file".formatted(file),
          "remove one of the files from `extends`");
    }
    List<Path> chain = new ArrayList<>(below);
    chain.add(identity);
    ConfigNode.Mapping own = YamlReader.readFile(file.toString(), content(file, askedAt));
    ConfigNode parents = own.values().get(EXTENDS);
    if (parents == null) {
      return own;
    }
    ConfigNode.Mapping result = new ConfigNode.Mapping(own.place(), Map.of());
    for (ConfigNode parent : parentsOf(parents)) {
      Path path = file.resolveSibling(parent.toJson().textValue()).normalize();
      result = result.overlaid(read(path, parent.place(), chain));
    }
    return result.overlaid(own.without(EXTENDS));
  }

  private static List<ConfigNode> parentsOf(ConfigNode parents) {
    if (parents instanceof ConfigNode.Sequence sequence
        && sequence.values().stream().allMatch(value -> value.toJson().isTextual())) {
      return sequence.values();
    }
    throw new ConfigException(
        parents.place(),
        "a list of paths under `extends`",
        parents.toJson().toString(),
        "write for example `extends: [base.yaml]`");
  }

  private static String content(Path file, String askedAt) {
    try {
      return TextFile.read(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          askedAt,
          "a configuration file",
          "no file " + file.toAbsolutePath().normalize(),
          "check the path",
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
