package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.SplitMark;

/** What an attempt at a job notes for the next one: the job, and the last checkpoint. */
final class Notes {

  private static final Logger LOG = LogManager.getLogger(Notes.class);
  private static final String JOB = "job.json";

  private final Workspace workspace;
  private final Job job;

  Notes(Workspace workspace, Job job) {
    this.workspace = workspace;
    this.job = job;
  }

  /**
   * The checkpoint that an earlier attempt reached last; empty if there was none, or its notes are
   * damaged.
   *
   * @throws org.lengthwise.dataprep.ConfigException if it was an attempt at another job
   */
  Optional<Checkpoint> lastCheckpoint() throws IOException {
    Path progress = workspace.progress();
    if (!Files.exists(progress)) {
      return Optional.empty();
    }
    try {
      Checkpoint reached = read(progress, Checkpoint.class);
      job.requireSame(read(workspace.notes().resolve(JOB), Job.class), workspace.folder());
      return Optional.of(reached);
    } catch (JsonProcessingException e) {
      LOG.warn("the notes in {} cannot be read: {}", workspace.notes(), e.getOriginalMessage());
    } catch (NoSuchFileException e) {
      LOG.warn("the notes in {} lack {}", workspace.notes(), JOB);
    }
    return Optional.empty();
  }

  private static <T> T read(Path file, Class<T> type) throws IOException {
    return ConfigLoader.strictMapper().readValue(Files.readAllBytes(file), type);
  }

  /** Where a checkpoint has the documents of unfilled batches. The next one has another place. */
  Path pendingFolder(long number) {
    return workspace.notes().resolve("pending-" + number % 2);
  }

  /** Makes that folder, without what the checkpoint before the last one left in it. */
  Path emptyPendingFolder(long number) throws IOException {
    Path folder = Files.createDirectories(pendingFolder(number));
    deleteFiles(folder, Set.of());
    return folder;
  }

  /** Deletes what was written after a checkpoint, but for what is cut off the files it knows. */
  void deleteLaterFiles(Checkpoint.Output output) throws IOException {
    Set<String> known = new HashSet<>(Set.of(RejectsFile.NAME));
    for (SplitMark split : output.splits().values()) {
      split.finished().forEach(entry -> known.add(entry.file()));
      if (split.open() != null) {
        known.add(split.open().file());
      }
    }
    deleteFiles(workspace.content(), known);
  }

  private static void deleteFiles(Path folder, Set<String> except) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!except.contains(file.getFileName().toString())) {
          Files.delete(file);
        }
      }
    }
  }

  /** Notes a checkpoint, in place of the one before. */
  void write(Checkpoint checkpoint) throws IOException {
    Path jobFile = workspace.notes().resolve(JOB);
    if (!Files.exists(jobFile)) {
      writeJson(jobFile, job);
    }
    writeJson(workspace.progress(), checkpoint);
  }

  private static void writeJson(Path file, Object value) throws IOException {
    AtomicFile.write(file, out -> ConfigLoader.strictMapper().writeValue(out, value));
  }
}
