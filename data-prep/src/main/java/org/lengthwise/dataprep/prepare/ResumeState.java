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
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.SplitState;

/**
 * The data that a preparation stores for its next attempt: its identity in {@code job.json} and its
 * latest {@linkplain ResumePoint resume point}.
 */
final class ResumeState {

  private static final Logger LOG = LogManager.getLogger(ResumeState.class);
  private static final String IDENTITY = "job.json";

  private final Workspace workspace;
  private final PreparationIdentity identity;

  ResumeState(Workspace workspace, PreparationIdentity identity) {
    this.workspace = workspace;
    this.identity = identity;
  }

  /**
   * Reads the latest resume point of an earlier attempt; empty if there is none, or if a file is
   * damaged.
   *
   * @throws org.lengthwise.error.ConfigException if the attempt was at another preparation
   */
  Optional<ResumePoint> latest() throws IOException {
    if (!Files.exists(workspace.progress())) {
      return Optional.empty();
    }
    try {
      Path identityFile = workspace.notes().resolve(IDENTITY);
      // The identity is read first, because another release may store resume points in another
      // form.
      identity.requireSame(read(identityFile, PreparationIdentity.class), workspace.folder());
      return Optional.of(read(workspace.progress(), ResumePoint.class));
    } catch (JsonProcessingException e) {
      LOG.warn(
          "the resume state in {} cannot be read: {}", workspace.notes(), e.getOriginalMessage());
    } catch (NoSuchFileException e) {
      LOG.warn("the resume state in {} lacks the file {}", workspace.notes(), IDENTITY);
    }
    return Optional.empty();
  }

  private static <T> T read(Path file, Class<T> type) throws IOException {
    return ConfigLoader.strictMapper().readValue(Files.readAllBytes(file), type);
  }

  /** The folder for the documents of unfilled batches. Successive resume points alternate. */
  Path pendingFolder(long number) {
    return workspace.notes().resolve("pending-" + number % 2);
  }

  Path emptyPendingFolder(long number) throws IOException {
    Path folder = Files.createDirectories(pendingFolder(number));
    deleteFiles(folder, Set.of());
    return folder;
  }

  void deleteLaterFiles(ResumePoint.Output output) throws IOException {
    Set<String> known = new HashSet<>(Set.of(RejectsFile.NAME));
    for (SplitState split : output.splits().values()) {
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

  void write(ResumePoint point) throws IOException {
    Path identityFile = workspace.notes().resolve(IDENTITY);
    if (!Files.exists(identityFile)) {
      writeJson(identityFile, identity);
    }
    writeJson(workspace.progress(), point);
  }

  private static void writeJson(Path file, Object value) throws IOException {
    AtomicFile.write(file, out -> ConfigLoader.strictMapper().writeValue(out, value));
  }
}
