package org.lengthwise.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Machine;
import org.lengthwise.artifact.Provenance;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.cli.RepeatCommand;

/**
 * The commands that make an artifact again, as lines for a shell: first those of the artifacts that
 * it was made from. Their outputs keep their places to each other, below the current folder.
 */
final class Recipe {
  /** From an experiment down to a checkpoint of one of its runs. */
  private static final int DEPTH = 4;

  /** The commands whose output has parts that are artifacts. */
  private static final Set<String> PARTED = Set.of("run", "train");

  /** What describes an artifact whose command cannot be told without a record. */
  private static final List<String> DESCRIPTIONS =
      List.of("measurement.json", "report.json", "run.json");

  private static final String OUTPUT = "--output";

  /** By the folders that hold the records, first the steps of the inputs. */
  private final Map<Path, Step> steps = new LinkedHashMap<>();

  /**
   * A command, if it is known.
   *
   * @param output where its output lies now
   * @param found where its inputs lie now, by their stored paths
   * @param lines remarks and checks, before the command
   */
  private record Step(
      Optional<Provenance> made, Path output, Map<String, Path> found, List<String> lines) {}

  Recipe(Path artifact) throws IOException {
    add(artifact.toRealPath());
    if (steps.isEmpty()) {
      throw new DataFormatException(
          artifact.toString(),
          "shards, a run, a checkpoint, results or a report",
          "none of them",
          "name the folder of an artifact");
    }
  }

  /** Adds the step of a folder after those of its inputs, or the steps of all folders below it. */
  private void add(Path path) throws IOException {
    Path folder = recorded(path);
    if (steps.containsKey(folder)) {
      return;
    }
    List<String> lines = new ArrayList<>(List.of("", "# " + folder));
    Optional<Provenance> stored = Provenance.read(folder);
    Optional<Provenance> made = stored.isPresent() ? stored : older(folder, lines);
    if (made.isEmpty() && lines.size() == 2) {
      addBelow(folder);
      return;
    }
    // A run of an experiment lies in runs/NAME of the experiment's folder.
    boolean isRun = made.isPresent() && made.get().options().containsKey("--only");
    Path output = isRun ? folder.resolve("../..").normalize() : folder;
    Map<String, Path> found = new LinkedHashMap<>();
    if (made.isPresent()) {
      inputs(made.get(), output, found, lines);
      lines.add("# made by " + made.get().build());
      for (Machine one : made.get().machines()) {
        String threads = Objects.toString(one.threads(), "any");
        lines.add("# on %s, %s, threads: %s".formatted(one.host(), one.model(), threads));
      }
    }
    if (Files.exists(folder.resolve(Manifest.FILE))) {
      texts(made.map(Provenance::workingDirectory).orElse(""), Manifest.read(folder), lines);
    }
    steps.put(folder, new Step(made, output, found, lines));
  }

  private void addBelow(Path folder) throws IOException {
    try (Stream<Path> below = Files.walk(folder, DEPTH)) {
      for (Path file : below.sorted().toList()) {
        if (file.endsWith(Provenance.FILE) || file.endsWith(DESCRIPTIONS.get(0))) {
          add(file.resolveSibling("").normalize());
        }
      }
    }
  }

  /** The folder itself, or the experiment or the run that it is a part of. */
  private static Path recorded(Path path) throws IOException {
    Path folder = path;
    for (int i = 0; i <= DEPTH && folder != null; i++) {
      String command = Provenance.read(folder).map(Provenance::command).orElse("");
      if (PARTED.contains(command) || (i == 0 && !command.isEmpty())) {
        return folder;
      }
      folder = folder.getParent();
    }
    return path;
  }

  /** Finds the inputs of a command, adds their steps, and says what is missing or has changed. */
  private void inputs(Provenance made, Path output, Map<String, Path> found, List<String> lines)
      throws IOException {
    for (String input : RecordedCommand.inputs(made.options(), made.configuration())) {
      String sha256 = made.inputs().getOrDefault(input, "not stored");
      Optional<Path> place = find(input, sha256, made, output);
      String state = ": missing here";
      if (place.isPresent()) {
        found.put(input, place.get());
        String now = RecordedCommand.identity(place.get()).orElse("not stored");
        state = now.equals(sha256) ? "" : "; now " + now;
        if (Files.isDirectory(place.get())) {
          add(place.get());
        }
      }
      lines.add("# reads %s, SHA-256 %s%s".formatted(input, sha256, state));
    }
  }

  /** Where an input lies now: at its path, at the same place beside the output, or near it. */
  private static Optional<Path> find(String input, String sha256, Provenance made, Path output)
      throws IOException {
    List<Path> places = new ArrayList<>();
    if (!Storage.isRemote(input)) {
      Path path = Storage.localPath(input);
      Path was = Path.of(made.options().getOrDefault(OUTPUT, List.of("")).get(0));
      places.add(path);
      if (path.isAbsolute() && was.isAbsolute()) {
        places.add(output.resolve(was.relativize(path)).normalize());
      }
    }
    for (int up = 1; up <= DEPTH && up < output.getNameCount(); up++) {
      Path above = output.resolve("../".repeat(up)).normalize();
      if (Files.isReadable(above)) {
        try (Stream<Path> near = Files.list(above)) {
          near.filter(place -> holds(place, sha256)).forEach(places::add);
        }
      }
    }
    Optional<Path> first = places.stream().filter(Files::exists).findFirst();
    return first.isPresent() ? Optional.of(first.get().toRealPath()) : first;
  }

  private static boolean holds(Path place, String sha256) {
    try {
      return Files.exists(place.resolve(Manifest.FILE))
          && RecordedCommand.identity(place).filter(sha256::equals).isPresent();
    } catch (IOException | DataFormatException e) {
      return false; // such as shards of another release
    }
  }

  /** What an artifact without a record tells; lines say what it lacks. */
  private static Optional<Provenance> older(Path folder, List<String> lines) throws IOException {
    Path checkpoint = new RunFolder(folder).newest().orElse(folder);
    Map<String, List<String>> options = new LinkedHashMap<>();
    options.put("--config", List.of(""));
    if (Files.exists(folder.resolve(Manifest.FILE))) {
      lines.add("# not stored: the command, the folders that it named, the machine");
      Manifest manifest = Manifest.read(folder);
      options.put("--input", manifest.inputs().stream().map(InputEntry::uri).toList());
      options.put("--tokenizer", List.of(manifest.tokenizer().name()));
      return older("prepare", options, manifest.settings(), Map.of(), manifest.build());
    }
    if (CheckpointFolder.isOurs(checkpoint)
        && CheckpointFolder.origin(checkpoint) instanceof RunDescription run) {
      lines.add("# not stored: the command, the path of its data, the machine, the threads");
      String data = run.data().tokenizer().name() + ".shards";
      if (run.config().task() == null) {
        options.put("--data", List.of(data));
      }
      Map<String, String> inputs = Map.of(data, run.data().sha256());
      return older(
          "train",
          options,
          ConfigLoader.strictMapper().valueToTree(run.config()),
          inputs,
          run.build());
    }
    for (String file : DESCRIPTIONS) {
      if (Files.exists(folder.resolve(file))) {
        lines.add("# not stored: the command, the machine, the threads, the paths of its inputs");
        lines.add("# %s holds the settings and the checksums that are known".formatted(file));
      }
    }
    return Optional.empty();
  }

  private static Optional<Provenance> older(
      String command,
      Map<String, List<String>> options,
      ObjectNode config,
      Map<String, String> inputs,
      BuildInfo build) {
    options.put(OUTPUT, List.of(""));
    Map<String, ObjectNode> configuration = Map.of("--config", config);
    return Optional.of(
        new Provenance(command, "", options, configuration, inputs, Map.of(), build, List.of()));
  }

  /** The texts with their checksums. Of a Parquet file, the checksum is not that of the file. */
  private static void texts(String directory, Manifest manifest, List<String> lines) {
    lines.add("sha256sum --check --quiet <<'EOF'");
    List<String> others = new ArrayList<>();
    for (InputEntry text : manifest.inputs()) {
      boolean isFile = text.uri().matches("[^\\p{Cntrl}\\\\]+(?<!\\.parquet)");
      if (isFile && !Storage.isRemote(text.uri())) {
        lines.add(text.sha256() + "  " + Path.of(directory).resolve(Storage.localPath(text.uri())));
      } else {
        others.add(
            "# reads %s of SHA-256 %s"
                .formatted(text.uri().replaceAll("\\p{Cntrl}", "?"), text.sha256()));
      }
    }
    lines.add("EOF");
    lines.addAll(others);
  }

  /** The lines of a script that starts {@code launcher}, the path of scripts/lengthwise. */
  List<String> script(String launcher) {
    List<String> lines = new ArrayList<>();
    lines.add("# Paste into a shell in an empty folder.");
    lines.add("LENGTHWISE=${LENGTHWISE:-%s}".formatted(RepeatCommand.quoted(launcher)));
    List<String> before = List.of();
    for (Step step : steps.values()) {
      lines.addAll(step.lines);
      if (step.made.isPresent()) {
        Provenance made = step.made.get();
        List<Machine> machines = made.machines();
        StringBuilder words = new StringBuilder();
        made.environment()
            .forEach((name, value) -> words.append(name + "=" + RepeatCommand.quoted(value) + " "));
        if (!machines.isEmpty()) {
          Machine last = machines.get(machines.size() - 1);
          List<String> version = last.version(made.build());
          if (!version.equals(before)) {
            lines.add(
                "\"$LENGTHWISE\" --version | diff /dev/fd/3 - 3<<'EOF' || echo 'differs, made by:"
                    + " <, here: >; digits may differ, too'");
            lines.addAll(version);
            lines.add("EOF");
          }
          before = version;
          words.append(last.threads() == null ? "" : "OMP_NUM_THREADS=" + last.threads() + " ");
        }
        words.append("\"$LENGTHWISE\" ").append(made.command());
        made.options()
            .forEach((option, values) -> words.append(option(option, values, step, lines)));
        lines.addAll(words.toString().lines().toList());
      }
    }
    return lines;
  }

  /** The words of an option; the lines before the command write its file. */
  private String option(String option, List<String> values, Step step, List<String> lines) {
    ObjectNode content = step.made.orElseThrow().configuration().get(option);
    String file = here(step.output).replace('/', '-') + "-" + option.substring(2) + ".yaml";
    if (content != null) {
      lines.add("cat > %s <<'EOF'".formatted(RepeatCommand.quoted(file)));
      ObjectNode changed = content.deepCopy();
      if (changed.path("experiment") instanceof ObjectNode section && section.has("data")) {
        section.put("data", here(section.path("data").asText(), step));
      }
      lines.addAll(changed.toPrettyString().lines().toList()); // JSON is YAML, too
      lines.add("EOF");
    }
    String words = values.isEmpty() ? " \\\n  " + option : "";
    for (String value : values) {
      String word =
          content != null ? file : option.equals(OUTPUT) ? here(step.output) : here(value, step);
      words += " \\\n  %s %s".formatted(option, RepeatCommand.quoted(word));
    }
    return words;
  }

  /** A path at, above or below an output, relative to the current folder; else the value itself. */
  private String here(String value, Step step) {
    Path found = step.found.get(value);
    return found != null
            && steps.values().stream()
                .anyMatch(one -> found.startsWith(one.output) || one.output.startsWith(found))
        ? here(found)
        : value;
  }

  /** A path relative to the innermost folder that holds all outputs below it. */
  private String here(Path path) {
    Path base = path.getRoot();
    for (Path name : steps.values().iterator().next().output) {
      Path next = base.resolve(name);
      if (steps.values().stream()
          .allMatch(one -> one.output.startsWith(next) && !one.output.equals(next))) {
        base = next;
      }
    }
    String relative = base.relativize(path).toString();
    return relative.isEmpty() ? "." : relative;
  }
}
