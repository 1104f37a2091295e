package org.lengthwise.training.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;

/**
 * The folder of a training run: {@code checkpoints/step-00001000/} and so on, and {@code
 * metrics.jsonl}.
 *
 * @param path where it lies
 */
public record RunFolder(Path path) {
  private static final String CHECKPOINTS = "checkpoints";

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
    return path.resolve("metrics.jsonl");
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
          .filter(entry -> entry.getFileName().toString().startsWith("step-"))
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
   * Deletes all but the newest checkpoints.
   *
   * @param keep how many stay
   * @throws IOException if one cannot be deleted
   */
  public void prune(int keep) throws IOException {
    List<Path> all = checkpoints();
    for (Path old : all.subList(0, Math.max(0, all.size() - keep))) {
      ArtifactFolder.delete(old);
    }
  }
}
