package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.source.Place;

/**
 * One attempt at a job: it starts where the last one's checkpoint is, and sets checkpoints itself.
 */
final class Attempt implements Closeable {

  private static final Logger LOG = LogManager.getLogger(Attempt.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final long beginNanos = System.nanoTime();
  private final Notes notes;
  private final Place start;
  private final FinishedInputs inputs;
  private final DocumentOutput output;
  private final double secondsBefore;
  private long numCheckpoints;

  private Attempt(Notes notes, FinishedInputs inputs, DocumentOutput output) {
    this.notes = notes;
    this.inputs = inputs;
    this.output = output;
    start = Place.startOf(0);
    secondsBefore = 0;
  }

  private Attempt(Notes notes, FinishedInputs inputs, DocumentOutput output, Checkpoint reached) {
    this.notes = notes;
    this.inputs = inputs;
    this.output = output;
    start = reached.place();
    secondsBefore = reached.seconds();
    numCheckpoints = reached.number();
  }

  /**
   * Goes on with what an earlier attempt left in the workspace, or starts over if that is damaged
   * or has no checkpoint.
   *
   * @throws org.lengthwise.dataprep.ConfigException if it was an attempt at another job
   */
  static Attempt begin(Workspace workspace, Job job, PrepareSettings settings) throws IOException {
    Notes notes = new Notes(workspace, job);
    Optional<Checkpoint> reached = notes.lastCheckpoint();
    if (reached.isPresent()) {
      Optional<Attempt> next = takeUp(workspace, notes, job, settings, reached.get());
      if (next.isPresent()) {
        LOG.info(
            "goes on in {} after {} bytes of text",
            workspace.folder(),
            String.format(Locale.ROOT, "%,d", reached.get().output().counts().textBytes()));
        return next.get();
      }
      LOG.warn("what an earlier attempt left in {} is damaged: starts over", workspace.folder());
    }
    workspace.clear();
    return new Attempt(
        notes,
        FinishedInputs.create(workspace.notes()),
        DocumentOutput.create(workspace, job.tokenizer(), settings));
  }

  private static Optional<Attempt> takeUp(
      Workspace workspace, Notes notes, Job job, PrepareSettings settings, Checkpoint reached)
      throws IOException {
    RejectsFile.requireWithin(
        new RejectLimit(settings.rejectLimit()), reached.output().rejects(), workspace.folder());
    notes.deleteLaterFiles(reached.output());
    Optional<FinishedInputs> inputs = FinishedInputs.takeUp(workspace.notes(), reached.files());
    if (inputs.isEmpty()) {
      return Optional.empty();
    }
    Optional<DocumentOutput> output =
        DocumentOutput.takeUp(
            workspace,
            job.tokenizer(),
            settings,
            reached.output(),
            notes.pendingFolder(reached.number()));
    if (output.isEmpty()) {
      inputs.get().close();
    }
    return output.map(found -> new Attempt(notes, inputs.get(), found, reached));
  }

  /** Where in the corpus it starts. */
  Place start() {
    return start;
  }

  FinishedInputs inputs() {
    return inputs;
  }

  DocumentOutput output() {
    return output;
  }

  /** How long it took so far, earlier attempts included. */
  double seconds() {
    return secondsBefore + (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
  }

  /** Whether another attempt would find a checkpoint. */
  boolean hasCheckpoint() {
    return numCheckpoints > 0;
  }

  /** Sets a checkpoint; every document before the place has been taken to the output. */
  void setCheckpoint(Place place) throws IOException {
    long number = numCheckpoints + 1;
    Checkpoint.Output written = output.mark(notes.emptyPendingFolder(number));
    notes.write(new Checkpoint(number, place, inputs.mark(), written, seconds()));
    numCheckpoints = number;
  }

  @Override
  public void close() throws IOException {
    try (inputs) {
      output.close();
    }
  }
}
