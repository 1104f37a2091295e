package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.error.ConfigException;

/**
 * The files of a model to import.
 *
 * @param config its {@code config.json}, if one is named or found in the folder
 * @param weights its safetensors files, at least one
 */
record ModelFiles(Optional<Path> config, List<Path> weights) {
  private static final String WEIGHTS = ".safetensors";

  /** Copies the list. */
  ModelFiles {
    weights = List.copyOf(weights);
  }

  /**
   * Finds the files that a user names.
   *
   * @param paths one folder, or the files themselves
   * @throws ConfigException if no safetensors file is among them, or a file of another kind is
   */
  static ModelFiles of(List<Path> paths) throws IOException {
    if (paths.size() == 1 && Files.isDirectory(paths.get(0))) {
      return ofFolder(paths.get(0));
    }
    Optional<Path> config = Optional.empty();
    List<Path> weights = new ArrayList<>();
    for (Path path : paths) {
      if (name(path).endsWith(WEIGHTS)) {
        weights.add(path);
      } else if (name(path).equals(Gpt2Config.FILE)) {
        config = Optional.of(path);
      } else {
        throw unusable(path.toString(), "another file");
      }
    }
    return ofParts(config, weights, paths.toString());
  }

  private static ModelFiles ofFolder(Path folder) throws IOException {
    Path config = folder.resolve(Gpt2Config.FILE);
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> weights =
          entries
              .filter(entry -> name(entry).startsWith("model") && name(entry).endsWith(WEIGHTS))
              .sorted()
              .toList();
      return ofParts(Optional.of(config).filter(Files::isRegularFile), weights, folder.toString());
    }
  }

  private static ModelFiles ofParts(Optional<Path> config, List<Path> weights, String where) {
    if (weights.isEmpty()) {
      throw unusable(where, "no file of weights in safetensors format");
    }
    return new ModelFiles(config, weights);
  }

  private static ConfigException unusable(String where, String found) {
    return new ConfigException(
        "--checkpoint " + where,
        "a folder with config.json and model*.safetensors, or these files",
        found,
        "name these files; convert weights of other formats to safetensors with the software that"
            + " wrote them");
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  /** The SHA-256 of every file by name. */
  Map<String, String> checksums() throws IOException {
    Map<String, String> checksums = new TreeMap<>();
    for (Path path : Stream.concat(config.stream(), weights.stream()).toList()) {
      checksums.put(name(path), Sha256.of(path));
    }
    return checksums;
  }
}
