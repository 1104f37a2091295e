package org.lengthwise.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A small corpus as token shards, and files for runs and experiments that take seconds. Everything
 * lies in one folder. A test that changes files works on a copy of them.
 */
final class TinyExperiment {
  static final int NUM_DOCUMENTS = 240;
  private static final String[] WORDS = {"the", "model", "reads", "short", "long", "text", "and"};
  private static final Path CONF = CommandRunner.HOME.resolve("conf");

  private final Path folder;
  private final CommandRunner commands = new CommandRunner();

  /** Writes the corpus and prepares the shards, with the ids of a tokenizer. */
  TinyExperiment(Path folder, String tokenizer) throws IOException {
    this.folder = folder;
    writeText(folder.resolve("text"));
    writeBase();
    commands.run(
        "prepare",
        option("--input", "text"),
        option("--output", "shards"),
        "--tokenizer=" + tokenizer,
        "--set=split.train=0.4",
        "--set=split.validation=0.2",
        "--set=split.test=0.4");
  }

  TinyExperiment(Path folder) throws IOException {
    this(folder, "bytes");
  }

  /** Every fourth document has 200 to 400 letters, the others are shorter than 40. */
  private static void writeText(Path text) throws IOException {
    Random random = new Random(1);
    Files.createDirectories(text);
    for (int document = 0; document < NUM_DOCUMENTS; document++) {
      int length = document % 4 == 0 ? 200 + random.nextInt(200) : 1 + random.nextInt(39);
      StringBuilder words = new StringBuilder();
      while (words.length() < length) {
        words.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      words.setLength(length);
      Files.writeString(text.resolve(document + ".txt"), words);
    }
  }

  private void writeBase() throws IOException {
    write(
        "base.yaml",
        """
        extends: [%1$s/base.yaml, %1$s/model/tiny.yaml]
        model: {layers: 2, width: 16, heads: 2}
        training:
          length: 16
          batch: 4
          micro_batch: 4
          steps: 6
          precision: float32
          device: cpu
          validation: {interval: 3, sequences: 4}
          checkpoint: {interval: 3, keep: 1}
        """
            .formatted(CONF));
  }

  Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  /**
   * Writes {@code experiment.yaml}. The scheme of each column is a name in conf/position or a file
   * in this folder.
   */
  void writeExperiment(String seeds, String... columns) throws IOException {
    StringBuilder files = new StringBuilder();
    for (String column : columns) {
      Path own = folder.resolve(column + ".yaml");
      Path file = Files.exists(own) ? own : CONF.resolve("position/" + column + ".yaml");
      files.append("\n    - ").append(file);
    }
    write(
        "experiment.yaml",
        """
        extends: [base.yaml]
        experiment:
          data: %s
          columns:%s
          seeds: %s
          measurements:
            - kind: perplexity
              lengths: [16, 64]
              protocols: [{name: aligned, samples: 10}]
              seed: 1
              within_document: false
              position_scaling: [none]
              memory_limit_megabytes: 64
              precision: float32
              device: cpu
            - kind: receptive-field
              lengths: [32, 8]
              samples: 3
              seed: 1
              position_scaling: [none]
              memory_limit_megabytes: 64
              precision: float32
              device: cpu
            - {kind: baseline, order: 3}
        """
            .formatted(folder.resolve("shards"), files, seeds));
  }

  /** Trains a run, such as {@code {scheme: alibi}}, into {@code runs/NAME}. */
  void train(String name, String position) throws IOException {
    Path file =
        write(
            name + ".yaml",
            "extends: [base.yaml]\nname: %s\nposition: %s\n".formatted(name, position));
    commands.run("train", "--config=" + file, data(), option("--output", "runs/" + name));
  }

  Path folder() {
    return folder;
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  String data() {
    return option("--data", "shards");
  }

  /** An option whose value is a path in the folder. */
  String option(String option, String name) {
    return option + "=" + folder.resolve(name);
  }

  String checkpoint(String run) {
    return option("--checkpoint", "runs/" + run);
  }

  /** Runs the experiment to its end, or as far as further options say. */
  String[] experiment(String output, String... more) {
    String[] words = {"run", option("--config", "experiment.yaml"), option("--output", output)};
    return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /** Copies a folder within the folder, times of files included. */
  Path copy(String from, String to) throws IOException {
    try (Stream<Path> paths = Files.walk(resolve(from))) {
      for (Path path : paths.toList()) {
        Path copy = resolve(to).resolve(resolve(from).relativize(path).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(path, copy, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return resolve(to);
  }

  static void flipAByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  /** When each file below a folder was written. */
  static Map<Path, FileTime> times(Path root) throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      paths
          .filter(Files::isRegularFile)
          .forEach(
              path -> {
                try {
                  times.put(path, Files.getLastModifiedTime(path));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return times;
  }
}
