package org.lengthwise.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The file {@code states.jsonl} of a results folder: one JSON object a line, one line for each
 * checkpoint and set of weights, UTF-8, keys in snake_case. A line has about 40 bytes for each
 * symbol of a string.
 */
public final class StatesFile {
  /** The file's name in its folder. */
  public static final String NAME = "states.jsonl";

  private static final JsonLines<StatesResult> LINES =
      new JsonLines<>(
          StatesResult.class,
          UnaryOperator.identity(),
          "the outputs of one model as JSON",
          "measure the states again into a new folder");

  private StatesFile() {}

  /**
   * Adds a line to the file of a folder, atomically; the file need not exist.
   *
   * @param folder an existing folder
   * @param result the line
   * @throws IOException if the file cannot be read or written
   */
  public static void append(Path folder, StatesResult result) throws IOException {
    List<StatesResult> results =
        Stream.concat(read(folder).stream().map(Located::value), Stream.of(result)).toList();
    JsonLines.write(folder.resolve(NAME), results);
  }

  /**
   * Reads the file of a folder.
   *
   * @param folder a results folder
   * @return every line with its place, in order; none if there is no file
   * @throws IOException if the file cannot be read
   * @throws org.lengthwise.error.DataFormatException if a line has other content, naming the line
   */
  public static List<Located<StatesResult>> read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    return Files.exists(file) ? LINES.read(file) : List.of();
  }
}
