package org.lengthwise.training.checkpoint;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;

/**
 * The folder of a training run: {@code checkpoints/step-00001000/} and so on, {@code metrics.jsonl}
 * and {@code events.out.tfevents}.
 *
 * @param path where it lies
 */
public record RunFolder(Path path) {
  private static final String CHECKPOINTS = "checkpoints";
  private static final String CHECKPOINT_PREFIX = "step-";
  private static final String METRICS = "metrics.jsonl";
  private static final String EVENTS = "events.out.tfevents";
  private static final String TRIAL_PREFIX = ".write-";

  /** What a run has in its folder, whole or not, before its first checkpoint. */
  private static final Set<String> OWN =
      Set.of(CHECKPOINTS, METRICS, "." + METRICS + ".partial", EVENTS, RunLock.FILE);

  /**
   * Resolves what a user names as a checkpoint.
   *
   * @param path a checkpoint's folder, or a run's folder, which stands for its newest checkpoint
   * @return the opened checkpoint
   * @throws IOException if it cannot be read
   * @throws DataFormatException if there is none
   */
  public static Checkpoint resolve(Path path) throws IOException {
    Optional<Path> newest = new RunFolder(path).newest();
    return Checkpoint.open(newest.orElse(path));
  }

  /**
   * The run's metrics.
   *
   * @return the path of its metrics file
   */
  public Path metrics() {
    return path.resolve(METRICS);
  }

  /**
   * The run's metrics for TensorBoard.
   *
   * @return the path of its event file, whether it exists or not
   */
  public Path events() {
    return path.resolve(EVENTS);
  }

  /**
   * The folder of the checkpoint after a step.
   *
   * @param step finished steps
   * @return its path, whether it exists or not
   */
  public Path checkpoint(long step) {
    return path.resolve(CHECKPOINTS).resolve("step-%08d".formatted(step));
  }

  /**
   * The finished checkpoints, oldest first.
   *
   * @return their folders; empty if the run has none
   * @throws IOException if the folder cannot be listed
   */
  public List<Path> checkpoints() throws IOException {
    Path folder = path.resolve(CHECKPOINTS);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith(CHECKPOINT_PREFIX))
          .filter(ArtifactFolder::isDone)
          .sorted()
          .toList();
    }
  }

  /**
   * The newest finished checkpoint.
   *
   * @return its folder, or empty if the run has none
   * @throws IOException if the folder cannot be listed
   */
  public Optional<Path> newest() throws IOException {
    List<Path> all = checkpoints();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  /**
   * Something in the folder that no run wrote.
   *
   * @return a path, or empty if there is none, or no folder
   * @throws IOException if the folder cannot be listed
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
    return OWN.contains(name) || name.startsWith(TRIAL_PREFIX);
  }

  /**
   * Makes the folder, removes what a run that was killed left half written, and shows before any
   * work is done that its checkpoints will find room.
   *
   * @param checkpointBytes what a checkpoint takes
   * @param count how many are still to be written and lie there together
   * @throws IOException if the disk cannot be asked
   * @throws ConfigException if nothing can be written there, or too little
   */
  public void prepare(long checkpointBytes, long count) throws IOException {
    try {
      Files.createDirectories(path.resolve(CHECKPOINTS));
      removeRemains();
      Files.delete(Files.createTempFile(path, TRIAL_PREFIX, ".tmp"));
    } catch (FileSystemException e) {
      throw new ConfigException(
          path.toString(),
          "a folder that files can be written into",
          e.toString(),
          "name another folder, or see to it that this one can be written",
          e);
    }
    long free = Files.getFileStore(path).getUsableSpace();
    if (free < checkpointBytes * count) {
      throw new ConfigException(
          path.toString(),
          "room for %d checkpoints of %,d bytes".formatted(count, checkpointBytes),
          "%,d free bytes".formatted(free),
          "make room, lower training.checkpoint.keep, or name a folder on another disk");
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
   * Deletes all checkpoints but the newest and the best, the one with the lowest validation loss.
   *
   * @param keep how many of the newest stay
   * @throws IOException if one cannot be read or deleted
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

  /** Of those that were validated; by induction the best of all that were ever written. */
  private static Optional<Path> best(List<Path> checkpoints) throws IOException {
    Optional<Path> best = Optional.empty();
    double lowest = Double.POSITIVE_INFINITY;
    for (Path checkpoint : checkpoints) {
      Double loss = Checkpoint.state(checkpoint).validationLoss();
      if (loss != null && loss < lowest) {
        lowest = loss;
        best = Optional.of(checkpoint);
      }
    }
    return best;
  }
}
