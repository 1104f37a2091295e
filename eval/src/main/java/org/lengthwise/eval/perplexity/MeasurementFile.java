package org.lengthwise.eval.perplexity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.Differences;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;

/**
 * The file {@code measurement.json} of a results folder: everything that decided its numbers, so
 * that a finished folder is taken for what it is and for nothing else.
 */
public final class MeasurementFile {
  private static final String NAME = "measurement.json";
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  private MeasurementFile() {}

  /**
   * One measured checkpoint.
   *
   * @param run where its model comes from: its shape, its configuration, its data and its build
   * @param step finished steps
   * @param modelSha256 the SHA-256 of its weights' file
   */
  public record Subject(ModelOrigin run, long step, String modelSha256) {

    /**
     * Describes a checkpoint.
     *
     * @param checkpoint the checkpoint
     * @return its description
     */
    public static Subject of(Checkpoint checkpoint) {
      return new Subject(checkpoint.origin(), checkpoint.state().step(), checkpoint.modelSha256());
    }
  }

  /**
   * Writes the file.
   *
   * @param folder an existing folder
   * @param measurement a record that holds all that decides the numbers
   * @throws IOException if it cannot be written
   */
  public static void write(Path folder, Record measurement) throws IOException {
    AtomicFile.write(
        folder.resolve(NAME),
        out -> MAPPER.writerWithDefaultPrettyPrinter().writeValue(out, measurement));
  }

  /**
   * Checks that a finished folder holds a certain measurement.
   *
   * @param folder the folder
   * @param measurement the measurement asked for
   * @throws IOException if the file cannot be read
   * @throws ConfigException if the folder holds another one, naming what differs
   * @throws DataFormatException if the file is not such a file
   */
  public static void requireSame(Path folder, Record measurement) throws IOException {
    requireSame(folder, folder.resolve(NAME), measurement, "finished", "name another folder");
  }

  /**
   * Checks that an unfinished folder is to hold a certain measurement.
   *
   * @param folder the folder to be
   * @param workspace what earlier attempts left
   * @param measurement the measurement asked for
   * @throws IOException if the file cannot be read
   * @throws ConfigException if another one was begun there, naming what differs
   * @throws DataFormatException if the file is not such a file
   */
  public static void requireSame(Path folder, Workspace workspace, Record measurement)
      throws IOException {
    Path file = workspace.content().resolve(NAME);
    String next = "name another folder, or remove " + workspace.folder() + " first";
    requireSame(folder, file, measurement, "unfinished", next);
  }

  private static void requireSame(
      Path folder, Path file, Record measurement, String state, String next) throws IOException {
    try {
      List<String> differences =
          Differences.between(
              MAPPER.readTree(Files.readAllBytes(file)), MAPPER.valueToTree(measurement));
      if (!differences.isEmpty()) {
        throw new ConfigException(
            folder.toString(),
            "a free folder, or this very measurement",
            "another %s one: %s".formatted(state, String.join("; ", differences)),
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
