package org.lengthwise.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.error.DataFormatException;

/**
 * The file {@code receptive-fields.jsonl} of a receptive-field folder: one JSON object a line, one
 * line for each checkpoint and length, UTF-8, keys in snake_case. A line has at most about 60 KB at
 * any length. {@code model} is null in lines that lack the key.
 */
public final class ReceptiveFieldFile {
  /** The file's name in its folder. */
  public static final String NAME = "receptive-fields.jsonl";

  private static final JsonLines<ReceptiveFieldResult> LINES =
      new JsonLines<>(
          ReceptiveFieldResult.class,
          ReceptiveFieldFile::upgraded,
          "one receptive field as JSON",
          "measure the receptive field again into a new folder");

  private ReceptiveFieldFile() {}

  /**
   * Writes the file into a folder, atomically.
   *
   * @param folder an existing folder
   * @param results the lines, in order
   * @throws IOException if the file cannot be written
   */
  public static void write(Path folder, List<ReceptiveFieldResult> results) throws IOException {
    JsonLines.write(folder.resolve(NAME), results);
  }

  /**
   * Reads the file of a folder.
   *
   * @param folder a receptive-field folder
   * @return every line with its place, in order
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if a line has other content, naming the line
   */
  public static List<Located<ReceptiveFieldResult>> read(Path folder) throws IOException {
    return LINES.read(folder.resolve(NAME));
  }

  private static JsonNode upgraded(JsonNode line) {
    if (line instanceof ObjectNode keys && !keys.has("model")) {
      keys.putNull("model");
    }
    return line;
  }
}
