package org.lengthwise.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The file {@code accuracy.jsonl} of a results folder: one JSON object a line, one line for each
 * checkpoint, draw of strings and length, UTF-8, keys in snake_case.
 */
public final class AccuracyFile {
  /** The file's name in its folder. */
  public static final String NAME = "accuracy.jsonl";

  private static final JsonLines<AccuracyResult> LINES =
      new JsonLines<>(
          AccuracyResult.class,
          UnaryOperator.identity(),
          "one accuracy as JSON",
          "evaluate the checkpoint again into a new folder");

  private AccuracyFile() {}

  /**
   * Adds a line to the file of a folder, atomically; the file need not exist.
   *
   * @param folder an existing folder
   * @param result the line
   * @throws IOException if the file cannot be read or written
   */
  public static void append(Path folder, AccuracyResult result) throws IOException {
    List<AccuracyResult> results =
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
  public static List<Located<AccuracyResult>> read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    return Files.exists(file) ? LINES.read(file) : List.of();
  }
}
