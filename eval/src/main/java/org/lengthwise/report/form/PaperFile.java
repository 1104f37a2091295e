package org.lengthwise.report.form;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A table of a paper on the class path: a CSV file with a header, beside the class that reads it.
 */
public final class PaperFile {
  private PaperFile() {}

  /**
   * {@return the fields of each line except the header}
   *
   * @param reader the class beside the file
   */
  public static List<String[]> lines(Class<?> reader, String name) {
    try (InputStream in = reader.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
