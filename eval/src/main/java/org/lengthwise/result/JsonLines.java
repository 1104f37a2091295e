package org.lengthwise.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.DataFormatException;

/**
 * A file with one JSON object a line, UTF-8, keys in snake_case.
 *
 * @param type the type of a line
 * @param upgrade turns a line of an older format version into the present one
 * @param expected what an error says about a line, such as {@code one evaluation result as JSON}
 * @param next what an error advises
 * @param <T> the type of a line
 */
record JsonLines<T>(Class<T> type, UnaryOperator<JsonNode> upgrade, String expected, String next) {

  /** Writes a file, atomically. */
  static void write(Path file, List<?> lines) throws IOException {
    ObjectWriter writer =
        ConfigLoader.strictMapper().writer().without(SerializationFeature.INDENT_OUTPUT);
    AtomicFile.write(
        file,
        out -> {
          for (Object line : lines) {
            out.write(writer.writeValueAsBytes(line));
            out.write('\n');
          }
        });
  }

  /**
   * Reads a file.
   *
   * @return every line with its place, in order
   * @throws DataFormatException if a line has other content, naming the line
   */
  List<Located<T>> read(Path file) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<Located<T>> read = new ArrayList<>();
    int number = 0;
    for (String text : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      number++;
      try {
        T line = mapper.treeToValue(upgrade.apply(mapper.readTree(text)), type);
        read.add(new Located<>(file, number, line));
      } catch (JsonProcessingException e) {
        throw new DataFormatException(
            file + ":" + number, expected, e.getOriginalMessage(), next, e);
      }
    }
    return List.copyOf(read);
  }
}
