package org.lengthwise.eval.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * The file {@code receptive-fields.jsonl} of a receptive-field folder: one JSON object a line, one
 * line for each checkpoint and length, UTF-8, keys in snake_case. A line has up to about 60 KB,
 * whatever the length.
 */
public final class ReceptiveFieldFile {
  /** The file's name in its folder. */
  public static final String NAME = "receptive-fields.jsonl";

  private ReceptiveFieldFile() {}

  /**
   * Writes the file into a folder, atomically.
   *
   * @param folder an existing folder
   * @param results the lines, in order
   * @throws IOException if the file cannot be written
   */
  public static void write(Path folder, List<ReceptiveFieldResult> results) throws IOException {
    ObjectWriter line =
        ConfigLoader.strictMapper().writer().without(SerializationFeature.INDENT_OUTPUT);
    AtomicFile.write(
        folder.resolve(NAME),
        out -> {
          for (ReceptiveFieldResult result : results) {
            out.write(line.writeValueAsBytes(result));
            out.write('\n');
          }
        });
  }

  /**
   * Reads the file of a folder.
   *
   * @param folder a receptive-field folder
   * @return every line with its place, in order
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if a line is not a result, naming the line
   */
  public static List<Located<ReceptiveFieldResult>> read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    ObjectReader line = ConfigLoader.strictMapper().readerFor(ReceptiveFieldResult.class);
    List<Located<ReceptiveFieldResult>> results = new ArrayList<>();
    int number = 0;
    for (String text : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      try {
        ReceptiveFieldResult result = line.readValue(text);
        results.add(new Located<>(file, number, result));
      } catch (JsonProcessingException e) {
        throw new DataFormatException(
            file + ":" + number,
            "one receptive field as JSON",
            e.getOriginalMessage(),
            "measure the receptive field again into a new folder",
            e);
      }
    }
    return List.copyOf(results);
  }
}
