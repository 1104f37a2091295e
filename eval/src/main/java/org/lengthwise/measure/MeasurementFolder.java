package org.lengthwise.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/**
 * The results folder of a measurement. It grows cell by cell in a {@link Workspace} and appears
 * when all cells are finished.
 *
 * @param stopRequested read after each batch: whether to stop
 */
public record MeasurementFolder<C>(
    Measurement<C> measurement, Path output, BooleanSupplier stopRequested) {
  private static final Logger LOG = LogManager.getLogger(MeasurementFolder.class);
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  /** The note in a workspace. A failed attempt keeps only a workspace that has it. */
  private record Note(int finishedCells) {}

  /**
   * Measures all cells that are not finished and publishes the folder. A finished folder of the
   * same measurement is not changed. An interrupted attempt resumes if it has stored at least one
   * file.
   *
   * @throws ConfigException if the folder or its workspace holds another measurement
   * @throws CancellationException if a stop was requested; the next attempt resumes
   */
  public void complete() throws IOException {
    if (ArtifactFolder.isDone(output)) {
      MeasurementFile.requireSame(output, measurement);
      LOG.info("{} is finished already", output);
      return;
    }
    measurement.requireFeasible();
    ArtifactFolder.createResumably(
        output,
        workspace -> {
          Set<C> finished = resume(workspace);
          measure(finished, workspace);
          measurement.summarise(workspace.content());
        });
  }

  /**
   * {@return the file for the lines of a cell, until {@link #join} joins those of all cells}
   *
   * @param name the name of the joined file without its ending
   * @param cell the place of the cell among all
   */
  public static Path part(Path folder, String name, int cell) {
    return folder.resolve(String.format(Locale.ROOT, "%s-%05d.jsonl", name, cell));
  }

  /**
   * Joins the {@linkplain #part parts} of all cells into {@code NAME.jsonl}. If that file exists,
   * an earlier attempt was killed before it had deleted all parts.
   */
  public static void join(Path folder, String name) throws IOException {
    List<Path> parts;
    try (Stream<Path> files = Files.list(folder)) {
      parts =
          files
              .filter(file -> file.getFileName().toString().matches(name + "-\\d+\\.jsonl"))
              .sorted()
              .toList();
    }
    Path joined = folder.resolve(name + ".jsonl");
    if (!Files.exists(joined)) {
      AtomicFile.write(
          joined,
          out -> {
            for (Path part : parts) {
              Files.copy(part, out);
            }
          });
    }
    for (Path part : parts) {
      Files.delete(part);
    }
  }

  private Set<C> resume(Workspace workspace) throws IOException {
    if (!MeasurementFile.hasNeighbours(workspace.content())) {
      workspace.clear();
      MeasurementFile.write(workspace.content(), measurement.description());
      return Set.of();
    }
    if (!Files.exists(workspace.progress())) {
      note(workspace, 0); // a kill can come between the first stored file and its note
    }
    MeasurementFile.requireSame(output, workspace, measurement);
    return measurement.finished(workspace.content());
  }

  private void measure(Set<C> finished, Workspace workspace) throws IOException {
    List<C> cells = measurement.cells();
    List<C> open = cells.stream().filter(cell -> !finished.contains(cell)).toList();
    int numFinished = cells.size() - open.size();
    if (numFinished > 0) {
      LOG.info("resuming: {} of {} results are finished", numFinished, cells.size());
    }
    long total = open.stream().mapToLong(measurement::tokens).sum();
    try (Progress progress = ProgressReporter.start(measurement.name(), "tokens", total)) {
      long before = 0;
      for (C cell : open) {
        progress.message(measurement.measure(cell, workspace.content(), meter(progress, before)));
        before += measurement.tokens(cell);
        note(workspace, ++numFinished);
      }
    }
  }

  private static void note(Workspace workspace, int finishedCells) throws IOException {
    AtomicFile.write(workspace.progress(), out -> MAPPER.writeValue(out, new Note(finishedCells)));
  }

  private LongConsumer meter(Progress progress, long before) {
    return read -> {
      progress.advanceTo(before + read);
      if (stopRequested.getAsBoolean()) {
        throw new CancellationException("stop requested");
      }
    };
  }
}
