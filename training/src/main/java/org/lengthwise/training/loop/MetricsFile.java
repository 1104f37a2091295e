package org.lengthwise.training.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;

/** A run's metrics as JSON lines, each written whole before the run goes on. */
final class MetricsFile implements AutoCloseable {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  private final BufferedWriter writer;

  private MetricsFile(BufferedWriter writer) {
    this.writer = writer;
  }

  /**
   * Opens the file of a run that goes on after a step: what an interrupted attempt wrote beyond it
   * is dropped, for those steps will be made again.
   */
  static MetricsFile resume(Path file, long step) throws IOException {
    if (step == 0) {
      Files.deleteIfExists(file);
    } else if (Files.exists(file)) {
      List<String> kept = new ArrayList<>();
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        if (isUpTo(line, step)) {
          kept.add(line + "\n");
        }
      }
      AtomicFile.write(
          file, out -> out.write(String.join("", kept).getBytes(StandardCharsets.UTF_8)));
    }
    return new MetricsFile(
        Files.newBufferedWriter(
            file,
            StandardCharsets.UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND));
  }

  private static boolean isUpTo(String line, long step) {
    try {
      return MAPPER.readValue(line, Metrics.class).step() <= step;
    } catch (JsonProcessingException e) {
      return false; // the last line of a killed run may be cut short
    }
  }

  void write(Metrics metrics) throws IOException {
    writer.write(MAPPER.writeValueAsString(metrics));
    writer.write('\n');
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
