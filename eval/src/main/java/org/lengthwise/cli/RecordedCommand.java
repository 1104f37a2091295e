package org.lengthwise.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Machine;
import org.lengthwise.artifact.Provenance;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.experiment.ExperimentFile;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.cli.StopSignals;
import org.lengthwise.training.device.Devices;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Runs a command, and stores beside its output how it was made. */
final class RecordedCommand implements IExecutionStrategy {
  /** The commands that make artifacts with tensors. */
  private static final Set<String> COMPUTING =
      Set.of("train", "evaluate", "receptive-field", "states", "run");

  private static final Set<String> OTHERS =
      Set.of("prepare", "import", "automaton", "construct", "report");

  private static final List<String> INPUTS =
      List.of("--data", "--checkpoint", "--results", "--text", "--tokenizer", "--protocol");

  /** These are for this process, not for another one that repeats the command. */
  private static final Set<String> OF_PROCESS = Set.of("--resume", "--stop-at-end-of-input");

  private static final Set<String> VARIABLES =
      Set.of(Devices.TF32, "ATEN_CPU_CAPABILITY", "LENGTHWISE_OPTS");

  /** Depth of the files that show whether a command wrote into its folder. */
  private static final int DEPTH = 3;

  private static final int CLOCK_MILLISECONDS = 100;

  @Override
  public int execute(ParseResult root) {
    ParseResult parsed = root.subcommand();
    String command = parsed == null ? "" : parsed.commandSpec().name();
    boolean isMaker = COMPUTING.contains(command) || OTHERS.contains(command);
    Map<String, List<String>> options = parsed == null || !isMaker ? Map.of() : options(parsed);
    List<String> outputs = options.getOrDefault("--output", List.of());
    if (outputs.isEmpty() || !isLocal(outputs.get(0))) {
      return new RunLast().execute(root);
    }
    long start = Instant.now().toEpochMilli() - CLOCK_MILLISECONDS;
    Map<String, ObjectNode> configuration = configuration(command, options);
    int code = new RunLast().execute(root);
    Path output = Storage.localPath(outputs.get(0));
    try {
      for (Path folder : folders(output, options)) {
        if ((code == 0 || code == StopSignals.STOPPED) && isDue(folder, start)) {
          write(command, options, configuration, folder);
        }
      }
    } catch (IOException | UncheckedIOException | ConfigException | DataFormatException e) {
      LogManager.getLogger(RecordedCommand.class)
          .warn("{}: {} not stored", output, Provenance.FILE, e);
    }
    return code;
  }

  private static Map<String, List<String>> options(ParseResult parsed) {
    Map<String, List<String>> options = new LinkedHashMap<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      String name = option.longestName();
      if (INPUTS.contains(name) || name.equals("--input") || name.equals("--output")) {
        options.put(name, option.stringValues().stream().map(one -> path(name, one)).toList());
      } else if (!OF_PROCESS.contains(name)) {
        options.put(name, option.arity().max() > 0 ? option.originalStringValues() : List.of());
      }
    }
    return options;
  }

  /** The absolute path, if a value is one. The names of tokenizers and protocols are words. */
  private static String path(String option, String value) {
    boolean mayBeName = option.equals("--tokenizer") || option.equals("--protocol");
    boolean isPath =
        option.equals("--output") || (!(mayBeName && value.matches("[\\w-]+")) && exists(value));
    return isPath && isLocal(value)
        ? Storage.localPath(value).toAbsolutePath().normalize().toString()
        : value;
  }

  private static boolean exists(String value) {
    return isLocal(value) && Files.exists(Storage.localPath(value));
  }

  private static boolean isLocal(String value) {
    try {
      return !Storage.isRemote(value) && !Storage.localPath(value).toString().isEmpty();
    } catch (ConfigException e) {
      return false; // not the name of a file
    }
  }

  /** Reads the files as the command will, and removes the settings that they include. */
  private static Map<String, ObjectNode> configuration(
      String command, Map<String, List<String>> options) {
    Map<String, ObjectNode> configuration = new LinkedHashMap<>();
    for (String prefix : List.of("--", "--report-")) {
      for (String file : options.getOrDefault(prefix + "config", List.of())) {
        List<String> settings = options.getOrDefault(prefix + "set", List.of());
        boolean isExperiment = command.equals("run") && prefix.equals("--");
        try {
          ObjectNode tree =
              isExperiment
                  ? ExperimentFile.whole(Path.of(file), settings)
                  : ConfigLoader.load(Path.of(file), settings).tree();
          if (tree.path("experiment") instanceof ObjectNode section && section.has("data")) {
            section.put("data", path("--data", section.path("data").asText()));
          }
          configuration.put(prefix + "config", tree);
        } catch (ConfigException
            | InvalidValueException
            | DataFormatException
            | UncheckedIOException e) {
          return Map.of(); // the command says it
        }
        options.remove(prefix + "set");
        // Other settings of an experiment override the keys of its columns, too.
        settings.stream()
            .filter(one -> isExperiment && !one.startsWith("experiment."))
            .forEach(
                one -> options.computeIfAbsent(prefix + "set", none -> new ArrayList<>()).add(one));
      }
    }
    return configuration;
  }

  private static List<Path> folders(Path output, Map<String, List<String>> options) {
    return options.getOrDefault("--only", List.of("")).stream()
        .flatMap(names -> Stream.of(names.split(",", -1)))
        .map(name -> name.isEmpty() ? output : output.resolve("runs").resolve(name))
        .toList();
  }

  /** Whether a command wrote into a folder, and a process that it started has stored no record. */
  private static boolean isDue(Path folder, long start) throws IOException {
    File record = folder.resolve(Provenance.FILE).toFile();
    if (!Files.isDirectory(folder) || record.lastModified() >= start) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files.anyMatch(file -> file.toFile().lastModified() >= start);
    }
  }

  private static void write(
      String command,
      Map<String, List<String>> options,
      Map<String, ObjectNode> configuration,
      Path folder)
      throws IOException {
    Map<String, String> checksums = new LinkedHashMap<>();
    for (String input : inputs(options, configuration)) {
      if (exists(input)) {
        identity(Storage.localPath(input)).ifPresent(sha256 -> checksums.put(input, sha256));
      }
    }
    // The runs of a queue have processes of their own, with fewer threads.
    Set<Machine> machines = new LinkedHashSet<>();
    if (command.equals("run") && Files.isDirectory(folder.resolve("runs"))) {
      try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
        for (Path run : runs.toList()) {
          Provenance.read(run).ifPresent(made -> machines.addAll(made.machines()));
        }
      }
    }
    if (machines.isEmpty()) {
      machines.add(Machine.current(COMPUTING.contains(command) ? Devices.numThreads() : null));
    }
    Map<String, String> environment = new TreeMap<>(System.getenv());
    environment.keySet().retainAll(VARIABLES);
    new Provenance(
            command,
            Path.of("").toAbsolutePath().toString(),
            options,
            configuration,
            checksums,
            environment,
            BuildInfo.current(),
            List.copyOf(machines))
        .write(folder);
  }

  /** {@return the paths that a command reads, apart from configuration and texts to prepare} */
  static List<String> inputs(
      Map<String, List<String>> options, Map<String, ObjectNode> configuration) {
    Stream<String> named =
        INPUTS.stream().flatMap(one -> options.getOrDefault(one, List.of()).stream());
    Stream<String> data =
        configuration.values().stream().map(one -> one.at("/experiment/data").asText());
    return Stream.concat(named, data).filter(one -> !one.matches("[\\w-]*")).distinct().toList();
  }

  /** The SHA-256 of a file, of a shard folder's data, or of a checkpoint's weights; else empty. */
  static Optional<String> identity(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return Optional.of(Sha256.of(path));
    }
    if (Files.exists(path.resolve(Manifest.FILE))) {
      return Optional.of(DataIdentity.of(Manifest.read(path)).sha256());
    }
    Path checkpoint = new RunFolder(path).newest().orElse(path);
    return CheckpointFolder.isOurs(checkpoint)
        ? Optional.of(Checkpoint.described(checkpoint).modelSha256())
        : Optional.empty();
  }
}
