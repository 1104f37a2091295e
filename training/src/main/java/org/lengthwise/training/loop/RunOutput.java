package org.lengthwise.training.loop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.Snapshot;
import org.lengthwise.training.checkpoint.TrainState;

/**
 * Writes the files of a run: metrics immediately, checkpoints while training continues. Only the
 * training thread calls the methods.
 *
 * <p>Invariant: the metrics up to a checkpoint's step are on the disk before the checkpoint
 * appears.
 */
final class RunOutput implements AutoCloseable {

  /** Writes a checkpoint to its place. Tests delay it or let it fail. */
  @FunctionalInterface
  interface Publication {

    void publish(TrainState state, Snapshot tensors) throws IOException;

    /**
     * Writes checkpoints into a run's folder, each with a copy of {@code tokenizer.json} if there
     * is one, and deletes old ones.
     */
    static Publication into(RunFolder folder, RunDescription run, Optional<Path> tokenizer) {
      int keep = run.config().training().checkpoint().keep();
      return (state, tensors) -> {
        CheckpointFolder.write(folder.checkpoint(state.step()), run, state, tensors, tokenizer);
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
   * The metrics are closed together with this output; the tensors, memory for copies of the run's
   * tensors, by the caller.
   */
  RunOutput(RunFolder folder, MetricsFile metrics, Snapshot tensors, Publication publication) {
    this.folder = folder;
    this.metrics = metrics;
    this.tensors = tensors;
    this.publication = publication;
  }

  void write(Metrics line) throws IOException {
    metrics.write(line);
  }

  /** Copies the tensors and begins to write a checkpoint, after the previous one is written. */
  void checkpoint(TrainState state) throws IOException {
    writer.await(); // the previous write reads the same memory
    tensors.take();
    writer.begin(
        () -> {
          metrics.force();
          publication.publish(state, tensors);
        });
  }

  void requireNoFailure() throws IOException {
    writer.requireNoFailure();
  }

  void await() throws IOException {
    writer.await();
  }

  /** The newest checkpoint. Waits for one that is being written. */
  Optional<Path> newest() throws IOException {
    writer.await();
    return folder.newest();
  }

  /** Waits for a checkpoint that is being written. */
  @Override
  public void close() throws IOException {
    try (metrics) {
      writer.close();
    }
  }
}
