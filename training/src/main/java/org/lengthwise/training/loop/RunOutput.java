package org.lengthwise.training.loop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;

/**
 * What a run leaves in its folder: metrics at once, checkpoints while training goes on. All methods
 * are the training thread's.
 *
 * <p>Invariant: the metrics up to a checkpoint's step are on the disk before the checkpoint
 * appears.
 */
final class RunOutput implements AutoCloseable {

  /** Brings checkpoints where readers look for them. */
  @FunctionalInterface
  interface Publication {

    /** Writes a state and its tensors, on a thread beside that of the steps. */
    void publish(TrainState state, Snapshot tensors) throws IOException;

    /** Writes checkpoints into a run's folder, and deletes those that need not stay. */
    static Publication into(RunFolder folder, RunDescription run) {
      int keep = run.config().training().checkpoint().keep();
      return (state, tensors) -> {
        Checkpoint.write(folder.checkpoint(state.step()), run, state, tensors);
        folder.prune(keep);
      };
    }
  }

  private final RunFolder folder;
  private final MetricsFile metrics;
  private final Snapshot tensors;
  private final Publication publication;
  private final CheckpointWriter writer = new CheckpointWriter();

  /**
   * Takes over a run's files.
   *
   * @param folder the run's folder
   * @param metrics its metrics, closed with this
   * @param tensors the room for copies of the run's tensors; it stays the caller's
   * @param publication what writes a checkpoint
   */
  RunOutput(RunFolder folder, MetricsFile metrics, Snapshot tensors, Publication publication) {
    this.folder = folder;
    this.metrics = metrics;
    this.tensors = tensors;
    this.publication = publication;
  }

  /** Writes a line of metrics. */
  void write(Metrics line) throws IOException {
    metrics.write(line);
  }

  /**
   * Copies what a checkpoint holds and begins to write it, once the checkpoint before is written.
   */
  void checkpoint(TrainState state) throws IOException {
    writer.await(); // until then the copy before is being read
    tensors.take();
    writer.begin(
        () -> {
          metrics.force();
          publication.publish(state, tensors);
        });
  }

  /** Tells whether a checkpoint could not be written, as far as that is known by now. */
  void requireNoFailure() throws IOException {
    writer.requireNoFailure();
  }

  /** Waits until all checkpoints are where readers look for them. */
  void await() throws IOException {
    writer.await();
  }

  /** The newest checkpoint, that in the making included. */
  Optional<Path> newest() throws IOException {
    writer.await();
    return folder.newest();
  }

  /** Lets a checkpoint that is being written become whole first. */
  @Override
  public void close() throws IOException {
    try (metrics) {
      writer.close();
    }
  }
}
