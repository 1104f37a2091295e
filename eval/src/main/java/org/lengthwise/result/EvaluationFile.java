package org.lengthwise.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.error.DataFormatException;

/**
 * The file {@code results.jsonl} of a results folder: one JSON object a line, one line for each
 * checkpoint, protocol and length, UTF-8, keys in snake_case.
 *
 * <p>Lines of older versions are read as lines of version 3. Version 1 lacks {@code
 * within_document} (false) and {@code scored_per_window} (1). Versions 1 and 2 lack {@code model}
 * (null). A line without {@code metric} holds a perplexity.
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
   * Adds a line to the file of a folder, atomically; the file need not exist.
   *
   * @param folder an existing folder
   * @param result the line
   * @throws IOException if the file cannot be read or written
   */
  public static void append(Path folder, EvaluationResult result) throws IOException {
    List<EvaluationResult> results = new ArrayList<>();
    if (Files.exists(folder.resolve(NAME))) {
      read(folder).forEach(line -> results.add(line.value()));
    }
    results.add(result);
    write(folder, results);
  }

  /**
   * Reads the file of a folder.
   *
   * @param folder a results folder
   * @return every line with its place, in order
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if a line has other content, naming the line
   */
  public static List<Located<EvaluationResult>> read(Path folder) throws IOException {
    return LINES.read(folder.resolve(NAME));
  }

  private static JsonNode upgraded(JsonNode line) {
    if (line instanceof ObjectNode keys) {
      int version = keys.path("format_version").asInt();
      if (version == 1 || version == 2) {
        keys.put("format_version", EvaluationResult.FORMAT_VERSION);
        keys.putNull("model");
      }
      if (version == 1) {
        keys.put("within_document", false);
        keys.put("scored_per_window", 1);
      }
      if (!keys.has("metric")) {
        keys.put("metric", "perplexity");
      }
    }
    return line;
  }
}
