package org.lengthwise.report.training;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.loop.Metrics;
import org.lengthwise.training.loop.MetricsFile;

/**
 * The metrics of a finished or growing run.
 *
 * @param folder the folder, as the caller named it
 * @param validation the lines of validation in nats, in the order of steps; those of another metric
 *     are no losses
 */
public record RunMetrics(
    String name,
    Path folder,
    List<Metrics.Training> training,
    List<Metrics.Validation> validation) {
  private static final String NLL = "nll";

  public RunMetrics {
    training = List.copyOf(training);
    validation = List.copyOf(validation);
  }

  /**
   * {@return the metrics of a run, at least one line} An incomplete last line is skipped, because
   * the run may be writing it.
   *
   * @throws DataFormatException if a line is not valid, or there is no line
   */
  public static RunMetrics read(Path folder) throws IOException {
    Path file = new RunFolder(folder).metrics();
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    List<Metrics.Training> training = new ArrayList<>();
    List<Metrics.Validation> validation = new ArrayList<>();
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Metrics metrics = parse(file + ":" + (i + 1), lines.get(i));
      if (metrics instanceof Metrics.Training line) {
        training.add(line);
      } else if (metrics instanceof Metrics.Validation line && line.metric().equals(NLL)) {
        validation.add(line);
      }
    }
    if (lines.isEmpty()) {
      throw new DataFormatException(
          file.toString(), "a line of metrics", "none yet", "wait for the run's first line");
    }
    String name = folder.toAbsolutePath().normalize().getFileName().toString();
    return new RunMetrics(name, folder, training, validation);
  }

  private static Metrics parse(String where, String line) {
    try {
      return MetricsFile.parse(line);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          where,
          "a line of metrics in the format of this release",
          JsonFault.ofValue(e),
          "use the release that wrote it",
          e);
    }
  }

  Stream<Metrics.Measured> lines() {
    return Stream.concat(training.stream(), validation.stream());
  }
}
