package org.lengthwise.eval.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.training.checkpoint.RunFolder;

/**
 * What a run's folder says of its training: for the reader alone, no number of a table depends on
 * it.
 *
 * @param run the run's name
 * @param seed its seed
 * @param description the newest checkpoint's {@code config.json}: configuration, data and build
 * @param training the loss of the steps by tokens trained on
 * @param validation the validation loss by tokens trained on
 */
record TrainedRun(
    String run, long seed, JsonNode description, LossPoints training, LossPoints validation) {
  private static final Logger LOG = LogManager.getLogger(TrainedRun.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Finds the runs below folders, at any depth: those with metrics and a finished checkpoint. One
   * that cannot be read is named in the log, and has no training curve.
   */
  static List<TrainedRun> under(List<Path> roots) throws IOException {
    Map<Path, TrainedRun> runs = new LinkedHashMap<>();
    for (Path root : roots) {
      for (Path folder : folders(root.toRealPath())) {
        read(folder).ifPresent(run -> runs.put(folder, run));
      }
    }
    return runs.values().stream()
        .sorted(
            Comparator.comparing(TrainedRun::run, RunName.paperFirst())
                .thenComparingLong(TrainedRun::seed))
        .toList();
  }

  private static List<Path> folders(Path root) throws IOException {
    try (Stream<Path> below = Files.walk(root)) {
      return below
          .filter(file -> Files.isRegularFile(file) && isMetrics(file))
          .map(TrainedRun::parent)
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isMetrics(Path file) {
    return new RunFolder(parent(file)).metrics().equals(file);
  }

  private static Path parent(Path file) {
    return file.toAbsolutePath().resolveSibling("").normalize();
  }

  private static Optional<TrainedRun> read(Path folder) throws IOException {
    RunFolder run = new RunFolder(folder);
    Optional<Path> newest = run.newest();
    if (newest.isEmpty()) {
      LOG.warn("{} has no finished checkpoint: no training curve", folder);
      return Optional.empty();
    }
    JsonNode description = MAPPER.readTree(Files.readAllBytes(newest.get().resolve("config.json")));
    try {
      RunMetrics metrics = RunMetrics.read(folder);
      return Optional.of(
          new TrainedRun(
              description.at("/config/name").asText(),
              description.at("/config/seed").asLong(),
              description,
              LossPoints.of(metrics.training()),
              LossPoints.of(metrics.validation())));
    } catch (DataFormatException e) {
      LOG.warn("no training curve: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
