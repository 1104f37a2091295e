package org.lengthwise.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.Differences;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;

/**
 * The file {@code measurement.json} of a results folder: all values that decided its numbers. A
 * comparison of this file shows whether a folder holds the requested measurement.
 */
public final class MeasurementFile {
  private static final String NAME = "measurement.json";
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  private MeasurementFile() {}

  /**
   * One measured checkpoint.
   *
   * @param modelSha256 the SHA-256 of the file of its weights
   */
  public record Subject(ModelOrigin run, long step, String modelSha256) {

    public static Subject of(Checkpoint checkpoint) {
      return new Subject(checkpoint.origin(), checkpoint.state().step(), checkpoint.modelSha256());
    }
  }

  static void write(Path folder, Record measurement) throws IOException {
    AtomicFile.write(
        folder.resolve(NAME),
        out -> MAPPER.writerWithDefaultPrettyPrinter().writeValue(out, measurement));
  }

  /** Whether a folder holds any other file that is complete. */
  static boolean hasNeighbours(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> !name.equals(NAME) && !name.startsWith("."));
    }
  }

  /** Checks that a finished folder holds the given measurement. */
  static void requireSame(Path folder, Measurement<?> measurement) throws IOException {
    requireSame(folder, folder.resolve(NAME), measurement, "finished", "name another folder");
  }

  /** Checks that the workspace of an unfinished folder holds the given measurement. */
  static void requireSame(Path folder, Workspace workspace, Measurement<?> measurement)
      throws IOException {
    Path file = workspace.content().resolve(NAME);
    String next = "name another folder, or remove " + workspace.folder() + " first";
    requireSame(folder, file, measurement, "unfinished", next);
  }

  private static void requireSame(
      Path folder, Path file, Measurement<?> measurement, String state, String next)
      throws IOException {
    try {
      JsonNode stored = MAPPER.readTree(Files.readAllBytes(file));
      List<String> differences =
          Differences.between(stored, MAPPER.valueToTree(measurement.description()));
      if (!differences.isEmpty()) {
        throw new ConfigException(
            folder.toString(),
            "an absent folder, or the same measurement",
            "another %s measurement: %s".formatted(state, String.join("; ", differences)),
            next);
      }
    } catch (JsonProcessingException | NoSuchFileException e) {
      throw new DataFormatException(
          file.toString(),
          "the description of a measurement",
          e instanceof NoSuchFileException ? "no such file" : "other content",
          next,
          e);
    }
  }
}
