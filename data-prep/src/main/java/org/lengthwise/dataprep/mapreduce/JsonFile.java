package org.lengthwise.dataprep.mapreduce;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.config.ConfigLoader;

/** Values as JSON in files of a Hadoop file system. */
final class JsonFile {

  private JsonFile() {}

  static void write(FileSystem fileSystem, Path file, Object value) throws IOException {
    try (OutputStream out = fileSystem.create(file, true)) {
      out.write(ConfigLoader.strictMapper().writeValueAsBytes(value));
    }
  }

  static void writePretty(FileSystem fileSystem, Path file, Object value) throws IOException {
    try (OutputStream out = fileSystem.create(file, true)) {
      out.write(
          ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
    }
  }

  static <T> T read(FileSystem fileSystem, Path file, Class<T> type) throws IOException {
    try (InputStream in = fileSystem.open(file)) {
      return ConfigLoader.strictMapper().readValue(in, type);
    }
  }

  static void writeLines(FileSystem fileSystem, Path file, List<?> values) throws IOException {
    var mapper = ConfigLoader.strictMapper();
    try (OutputStream out = fileSystem.create(file, true)) {
      for (Object value : values) {
        out.write(mapper.writeValueAsBytes(value));
        out.write('\n');
      }
    }
  }

  static <T> List<T> readLines(FileSystem fileSystem, Path file, Class<T> type) throws IOException {
    var mapper = ConfigLoader.strictMapper();
    List<T> values = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fileSystem.open(file), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        values.add(mapper.readValue(line, type));
      }
    }
    return values;
  }
}
