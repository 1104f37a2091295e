package org.lengthwise.artifact;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.lengthwise.config.ConfigLoader;

/**
 * The command that made an artifact, stored beside it as {@code provenance.json}. Artifacts of the
 * library and of earlier releases have no such file.
 *
 * @param options the values of each option, in the order of the command line; none for a switch.
 *     Paths are absolute. Settings are absent if {@code configuration} includes them.
 * @param configuration the content of each configuration file by its option, with the files that it
 *     extends and with the settings
 * @param inputs the SHA-256 of each input by its path: of a file, of the data of shards, of the
 *     weights of a checkpoint. The inputs of shards are in their manifest.
 * @param environment the variables that can change digits
 * @param machines all machines that wrote here, that of the command last
 */
public record Provenance(
    String command,
    String workingDirectory,
    Map<String, List<String>> options,
    Map<String, ObjectNode> configuration,
    Map<String, String> inputs,
    Map<String, String> environment,
    BuildInfo build,
    List<Machine> machines) {
  /** The name of the file. */
  public static final String FILE = "provenance.json";

  /** {@return the record of a folder, or empty if the folder has none} */
  public static Optional<Provenance> read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.isRegularFile(file)
        ? Optional.of(ConfigLoader.strictMapper().readValue(file.toFile(), Provenance.class))
        : Optional.empty();
  }

  /** Writes the record into a folder, with the machines of the record that it replaces. */
  public void write(Path folder) throws IOException {
    Set<Machine> all = new LinkedHashSet<>();
    read(folder).ifPresent(earlier -> all.addAll(earlier.machines));
    all.removeAll(machines);
    all.addAll(machines);
    Provenance whole =
        new Provenance(
            command,
            workingDirectory,
            options,
            configuration,
            inputs,
            environment,
            build,
            List.copyOf(all));
    AtomicFile.write(
        folder.resolve(FILE),
        out -> ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter().writeValue(out, whole));
  }
}
