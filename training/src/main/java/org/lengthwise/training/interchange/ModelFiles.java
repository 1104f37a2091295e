package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * @param index the file of each tensor by its stored name; empty if no file lists them
 */
record ModelFiles(
    Optional<Path> config, Optional<Path> tokenizer, List<Path> weights, Map<String, Path> index) {
  static final String CONFIG = "config.json";
  static final String TOKENIZER = "tokenizer.json";

  private static final String WEIGHTS = ".safetensors";
  private static final String INDEX = "model.safetensors.index.json";
  private static final String PICKLE = "pytorch_model";

  ModelFiles {
    weights = List.copyOf(weights);
    index = Map.copyOf(index);
  }

  /** Finds the files that a user names. */
  static ModelFiles of(List<Path> paths) throws IOException {
    if (paths.size() == 1 && Files.isDirectory(paths.get(0))) {
      return ofFolder(paths.get(0));
    }
    Optional<Path> config = Optional.empty();
    List<Path> weights = new ArrayList<>();
    for (Path path : paths) {
      if (name(path).endsWith(WEIGHTS)) {
        weights.add(path);
      } else if (name(path).equals(CONFIG)) {
        config = Optional.of(path);
      } else {
        throw unusable(path.toString(), name(path).startsWith(PICKLE), "another file");
      }
    }
    if (weights.isEmpty()) {
      throw unusable(paths.toString(), false, "no file of weights in safetensors format");
    }
    return new ModelFiles(config, Optional.empty(), weights, Map.of());
  }

  private static ModelFiles ofFolder(Path folder) throws IOException {
    List<Path> files = new ArrayList<>(named(folder, "", ".json"));
    files.addAll(named(folder, "", WEIGHTS));
    for (Path path : files) {
      if (Files.exists(path) && !path.toRealPath().startsWith(folder.toRealPath())) {
        throw new ConfigException(
            path.toString(),
            "a file of this folder",
            "a link to " + path.toRealPath(),
            "copy all files of the model into the folder");
      }
    }
    Map<String, Path> index = new LinkedHashMap<>();
    List<Path> weights = List.of(folder.resolve("model" + WEIGHTS));
    if (!Files.exists(weights.get(0)) && Files.exists(folder.resolve(INDEX))) {
      index = index(folder);
      weights = index.values().stream().distinct().sorted().toList();
    } else if (!Files.exists(weights.get(0))) {
      weights = named(folder, "model", WEIGHTS);
    }
    if (weights.isEmpty()) {
      throw unusable(
          folder.toString(),
          !named(folder, PICKLE, "").isEmpty(),
          "no file of weights in safetensors format");
    }
    return new ModelFiles(file(folder, CONFIG), file(folder, TOKENIZER), weights, index);
  }

  private static Optional<Path> file(Path folder, String name) {
    return Optional.of(folder.resolve(name)).filter(Files::isRegularFile);
  }

  private static List<Path> named(Path folder, String start, String end) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> name(entry).startsWith(start) && name(entry).endsWith(end))
          .sorted()
          .toList();
    }
  }

  /** The file of each tensor. The index may name files of the folder only. */
  private static Map<String, Path> index(Path folder) throws IOException {
    Path file = folder.resolve(INDEX);
    Map<String, Path> index = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry :
        ConfigJson.read(file).object("weight_map").json().properties()) {
      String name = entry.getValue().asText();
      if (!name.matches("[^/\\\\\0]+\\.safetensors")) {
        throw misplaced(file, entry.getKey(), "the name of a .safetensors file", name);
      }
      Path path = folder.resolve(name);
      if (!Files.isRegularFile(path)) {
        throw misplaced(file, entry.getKey(), "a file of this folder", name + ", which is missing");
      }
      index.put(entry.getKey(), path);
    }
    return index;
  }

  private static ConfigException misplaced(
      Path file, String tensor, String expected, String found) {
    return new ConfigException(
        file + ": weight_map." + tensor,
        expected,
        found,
        "copy all files of the model into the folder");
  }

  private static ConfigException unusable(String where, boolean isPickle, String found) {
    return new ConfigException(
        "--checkpoint " + where,
        "a folder with config.json and model*.safetensors, or these files",
        isPickle ? "pytorch_model.bin, a format that can run any program when it is read" : found,
        isPickle
            ? "convert it in Python: transformers.AutoModelForCausalLM.from_pretrained(\"DIR\")"
                + ".save_pretrained(\"NEW\", safe_serialization=True)"
            : "name these files; convert weights of other formats to safetensors with the software"
                + " that wrote them");
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  Map<String, String> checksums() throws IOException {
    Map<String, String> checksums = new TreeMap<>();
    for (Path path : Stream.concat(config.stream(), weights.stream()).toList()) {
      checksums.put(name(path), Sha256.of(path));
    }
    return checksums;
  }
}
