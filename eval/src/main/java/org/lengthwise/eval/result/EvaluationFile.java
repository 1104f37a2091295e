package org.lengthwise.eval.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.dataprep.DataFormatException;

/**
 * The file {@code results.jsonl} of a results folder: one JSON object a line, one line for each
 * checkpoint, protocol and length, UTF-8, keys in snake_case.
 *
 * <p>Older versions are read as what they mean in version 3. Version 1 lacks {@code
 * within_document}, which was always false, and {@code scored_per_window}, which was always 1; both
 * lack {@code model}, which is null then.
 */
public final class EvaluationFile {
  /** The file's name in its folder. */
  public static final String NAME = "results.jsonl";

  private static final JsonLines<EvaluationResult> LINES =
      new JsonLines<>(
          EvaluationResult.class,
          EvaluationFile::upgraded,
          "one evaluation result as JSON",
          "evaluate the checkpoint again into a new folder");

  private EvaluationFile() {}

  /**
   * Writes the file into a folder, atomically.
   *
   * @param folder an existing folder
   * @param results the lines, in order
   * @throws IOException if the file cannot be written
   */
  public static void write(Path folder, List<EvaluationResult> results) throws IOException {
    JsonLines.write(folder.resolve(NAME), results);
  }

  /**
   * Reads the file of a folder.
   *
   * @param folder a results folder
   * @return every line with its place, in order
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if a line is not a result, naming the line
   */
  public static List<Located<EvaluationResult>> read(Path folder) throws IOException {
    return LINES.read(folder.resolve(NAME));
  }

  private static JsonNode upgraded(JsonNode line) {
    int version = line.path("format_version").asInt();
    if (line instanceof ObjectNode keys && (version == 1 || version == 2)) {
      keys.put("format_version", EvaluationResult.FORMAT_VERSION);
      keys.putNull("model");
      if (version == 1) {
        keys.put("within_document", false);
        keys.put("scored_per_window", 1);
      }
    }
    return line;
  }
}
