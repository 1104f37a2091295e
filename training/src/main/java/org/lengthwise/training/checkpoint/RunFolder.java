package org.lengthwise.training.checkpoint;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.LockFile;
import org.lengthwise.artifact.Provenance;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;

/**
 * The folder of a training run: {@code checkpoints/step-00001000/} and so on, {@code metrics.jsonl}
 * and a file {@code events.out.tfevents} for each attempt.
 */
public record RunFolder(Path path) {
  private static final String CHECKPOINTS = "checkpoints";
  private static final String CHECKPOINT_PREFIX = "step-";
  private static final Pattern CHECKPOINT = Pattern.compile(CHECKPOINT_PREFIX + "[0-9]{1,18}");
  private static final String METRICS = "metrics.jsonl";
  private static final String EVENTS = "events.out.tfevents";
  private static final String LOCK = ".lock";
  private static final String TRIAL_PREFIX = ".write-";

  /** The files of a run before its first checkpoint. */
  private static final Set<String> OWN =
      Set.of(CHECKPOINTS, METRICS, "." + METRICS + ".partial", LOCK, Provenance.FILE);

  /** Opens a checkpoint, or the newest checkpoint of a run. */
  public static Checkpoint resolve(Path path) throws IOException {
    Optional<Path> newest = new RunFolder(path).newest();
    return Checkpoint.open(newest.orElse(path));
  }

  /**
   * Locks the folder for writing until the result is closed. The lock ends with the process at the
   * latest; the file stays.
   */
  public LockFile lock() {
    Optional<LockFile> lock;
    try {
      Files.createDirectories(path);
      lock = LockFile.tryLock(path.resolve(LOCK));
    } catch (IOException e) {
      throw unwritable(e);
    }
    return lock.orElseThrow(
        () ->
            new ConfigException(
                path.toString(),
                "a folder that no other process trains in",
                "another process trains here",
                "wait for that process to end, or name another folder"));
  }

  private ConfigException unwritable(IOException cause) {
    return new ConfigException(
        path.toString(),
        "a folder with write permission, on a file system with locks",
        cause.toString(),
        "name another folder, or change the permissions of this one",
        cause);
  }

  public Path metrics() {
    return path.resolve(METRICS);
  }

  /** {@return the run's event files for TensorBoard, one for each attempt, oldest first} */
  public List<Path> events() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(EVENTS))
          .sorted()
          .toList();
    }
  }

  /** {@return the event file of the next attempt, which does not exist} */
  public Path nextEvents() throws IOException {
    Path file = path.resolve(EVENTS);
    for (int i = events().size(); Files.exists(file); i++) {
      file = path.resolve(String.format(Locale.ROOT, "%s.%04d", EVENTS, i));
    }
    return file;
  }

  public Path checkpoint(long step) {
    return path.resolve(CHECKPOINTS).resolve(String.format(Locale.ROOT, "step-%08d", step));
  }

  /** {@return the folders of the finished checkpoints, oldest first; empty if the run has none} */
  public List<Path> checkpoints() throws IOException {
    Path folder = path.resolve(CHECKPOINTS);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> CHECKPOINT.matcher(entry.getFileName().toString()).matches())
          .filter(ArtifactFolder::isDone)
          .sorted(Comparator.comparingLong(RunFolder::step))
          .toList();
    }
  }

  private static long step(Path checkpoint) {
    return Long.parseLong(
        checkpoint.getFileName().toString().substring(CHECKPOINT_PREFIX.length()));
  }

  /** {@return the folder of the newest finished checkpoint, or empty if the run has none} */
  public Optional<Path> newest() throws IOException {
    List<Path> all = checkpoints();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /**
   * {@return a file in the folder that does not belong to a run; empty if there is none or no
   * folder}
   */
  public Optional<Path> foreign() throws IOException {
    if (!Files.isDirectory(path)) {
      return Optional.empty();
    }
    try (Stream<Path> content = Files.list(path)) {
      return content.filter(entry -> !isOwn(entry.getFileName().toString())).sorted().findFirst();
    }
  }

  private static boolean isOwn(String name) {
    return OWN.contains(name) || name.startsWith(TRIAL_PREFIX) || name.startsWith(EVENTS);
  }

  /**
   * Creates the folder, removes incomplete files of a killed run, and checks that the disk has room
   * for the checkpoints.
   */
  public void prepare(long checkpointBytes, long count) throws IOException {
    try {
      Files.createDirectories(path.resolve(CHECKPOINTS));
      removeRemains();
      Files.delete(Files.createTempFile(path, TRIAL_PREFIX, ".tmp"));
    } catch (FileSystemException e) {
      throw unwritable(e);
    }
    long free = Files.getFileStore(path).getUsableSpace();
    if (free < checkpointBytes * count) {
      throw new ConfigException(
          path.toString(),
          "room for %s checkpoints of %s bytes".formatted(count, Count.of(checkpointBytes)),
          "%s free bytes".formatted(Count.of(free)),
          "free some space, lower training.checkpoint.keep, or name a folder on another disk");
    }
  }

  private void removeRemains() throws IOException {
    ArtifactFolder.removeRemains(path.resolve(CHECKPOINTS), CHECKPOINT_PREFIX);
    ArtifactFolder.removeRemains(path, METRICS);
    try (Stream<Path> entries = Files.list(path)) {
      for (Path entry : entries.toList()) {
        if (entry.getFileName().toString().startsWith(TRIAL_PREFIX)) {
          Files.delete(entry);
        }
      }
    }
  }

  /**
   * Deletes old checkpoints, but neither the newest {@code keep} nor the one with the lowest
   * validation loss.
   */
  public void prune(int keep) throws IOException {
    List<Path> all = checkpoints();
    Optional<Path> best = best(all);
    for (Path old : all.subList(0, Math.max(0, all.size() - keep))) {
      if (!best.equals(Optional.of(old))) {
        ArtifactFolder.delete(old);
      }
    }
  }

  /**
   * The validated checkpoint with the lowest loss. Pruning never deletes this checkpoint, so it is
   * the best of the whole run.
   */
  public Optional<Path> best() throws IOException {
    return best(checkpoints());
  }

  private static Optional<Path> best(List<Path> checkpoints) throws IOException {
    Optional<Path> best = Optional.empty();
    double lowest = Double.POSITIVE_INFINITY;
    for (Path checkpoint : checkpoints) {
      Double loss = CheckpointFolder.state(checkpoint).validationLoss();
      if (loss != null && loss < lowest) {
        lowest = loss;
        best = Optional.of(checkpoint);
      }
    }
    return best;
  }
}
