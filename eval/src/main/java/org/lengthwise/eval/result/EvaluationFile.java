package org.lengthwise.eval.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * The file {@code results.jsonl} of a results folder: one JSON object a line, one line for each
 * checkpoint, protocol and length, UTF-8, keys in snake_case.
 *
 * <p>Version 1 is read as what it means in version 2: it lacks {@code within_document}, which was
 * always false, and {@code scored_per_window}, which was always 1.
 */
public final class EvaluationFile {
  /** The file's name in its folder. */
  public static final String NAME = "results.jsonl";

  private EvaluationFile() {}

  /**
   * Writes the file into a folder, atomically.
   *
   * @param folder an existing folder
   * @param results the lines, in order
   * @throws IOException if the file cannot be written
   */
  public static void write(Path folder, List<EvaluationResult> results) throws IOException {
    ObjectWriter line =
        ConfigLoader.strictMapper().writer().without(SerializationFeature.INDENT_OUTPUT);
    AtomicFile.write(
        folder.resolve(NAME),
        out -> {
          for (EvaluationResult result : results) {
            out.write(line.writeValueAsBytes(result));
            out.write('\n');
          }
        });
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
    Path file = folder.resolve(NAME);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<Located<EvaluationResult>> results = new ArrayList<>();
    int number = 0;
    for (String text : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      try {
        EvaluationResult result =
            mapper.treeToValue(upgraded(mapper.readTree(text)), EvaluationResult.class);
        results.add(new Located<>(file, number, result));
      } catch (JsonProcessingException e) {
        throw new DataFormatException(
            file + ":" + number,
            "one evaluation result as JSON",
            e.getOriginalMessage(),
            "evaluate the checkpoint again into a new folder",
            e);
      }
    }
    return List.copyOf(results);
  }

  private static JsonNode upgraded(JsonNode line) {
    if (line instanceof ObjectNode keys && keys.path("format_version").asInt() == 1) {
      keys.put("format_version", EvaluationResult.FORMAT_VERSION);
      keys.put("within_document", false);
      keys.put("scored_per_window", 1);
    }
    return line;
  }
}
