package org.lengthwise.dataprep.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.dataprep.ConfigException;

/** Where layers come from: files with what they extend, and settings. */
final class Layers {
  private static final String EXTENDS = "extends";

  private Layers() {}

  /** A file with everything that it extends below it. */
  static ConfigNode.Mapping file(Path file) {
    return file(file, file.toString(), List.of());
  }

  /** One setting {@code key.path=value}, as a mapping of one leaf. */
  static ConfigNode.Mapping setting(String setting) {
    Origin origin = new Origin("--set " + setting);
    int equals = setting.indexOf('=');
    String path = equals < 0 ? setting : setting.substring(0, equals);
    List<String> keys = List.of(path.split("\\.", -1));
    if (equals < 0 || keys.stream().anyMatch(String::isBlank)) {
      throw new ConfigException(
          origin.place(),
          "key.path=value",
          equals < 0 ? "no equals sign" : "an empty key",
          "write for example --set training.steps=100");
    }
    ConfigNode node = YamlReader.readValue(origin, setting.substring(equals + 1));
    for (int i = keys.size() - 1; i > 0; i--) {
      node = new ConfigNode.Mapping(origin, Map.of(keys.get(i), node));
    }
    return new ConfigNode.Mapping(origin, Map.of(keys.get(0), node));
  }

  private static ConfigNode.Mapping file(Path file, String askedAt, List<Path> below) {
    Path identity = file.toAbsolutePath().normalize();
    if (below.contains(identity)) {
      throw new ConfigException(
          askedAt,
          "files that extend one another without a circle",
          "%s, which is already being read".formatted(file),
          "remove one of the extends");
    }
    List<Path> chain = new ArrayList<>(below);
    chain.add(identity);
    ConfigNode.Mapping own = YamlReader.readFile(file.toString(), content(file, askedAt));
    ConfigNode parents = own.values().get(EXTENDS);
    if (parents == null) {
      return own;
    }
    ConfigNode.Mapping result = new ConfigNode.Mapping(own.origin(), Map.of());
    for (ConfigNode parent : parentsOf(parents)) {
      Path path = file.resolveSibling(parent.toJson().textValue()).normalize();
      result = result.overlaid(file(path, parent.origin().place(), chain));
    }
    return result.overlaid(own.without(EXTENDS));
  }

  private static List<ConfigNode> parentsOf(ConfigNode parents) {
    if (parents instanceof ConfigNode.Sequence sequence
        && sequence.values().stream().allMatch(value -> value.toJson().isTextual())) {
      return sequence.values();
    }
    throw new ConfigException(
        parents.origin().place(),
        "a list of paths under `extends`",
        parents.toJson().toString(),
        "write for example `extends: [base.yaml]`");
  }

  private static String content(Path file, String askedAt) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          askedAt,
          "a configuration file",
          "no file " + file.toAbsolutePath().normalize(),
          "check the path",
          e);
    } catch (CharacterCodingException e) {
      throw new ConfigException(
          file.toString(), "UTF-8 text", "other bytes", "save the file as UTF-8", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
