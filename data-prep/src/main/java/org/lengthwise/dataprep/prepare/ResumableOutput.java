package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.dataprep.source.CorpusOffset;

/**
 * A growing output in its workspace. The output starts at the latest resume point of an earlier
 * attempt, and saves resume points.
 */
final class ResumableOutput implements Closeable {

  private static final Logger LOG = LogManager.getLogger(ResumableOutput.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final long beginNanos = System.nanoTime();
  private final ResumeState state;
  private final FinishedInputs inputs;
  private final DocumentOutput documents;
  private final CorpusOffset start;
  private final double secondsBefore;
  private long numResumePoints;

  private ResumableOutput(
      ResumeState state,
      FinishedInputs inputs,
      DocumentOutput documents,
      @Nullable ResumePoint latest) {
    this.state = state;
    this.inputs = inputs;
    this.documents = documents;
    start = latest == null ? CorpusOffset.startOf(0) : latest.offset();
    secondsBefore = latest == null ? 0 : latest.seconds();
    numResumePoints = latest == null ? 0 : latest.number();
  }

  /**
   * Resumes the output of an earlier attempt, or starts over if that output is damaged or has no
   * resume point.
   *
   * @throws org.lengthwise.error.ConfigException if the attempt was at another preparation
   */
  static ResumableOutput open(
      Workspace workspace, PreparationIdentity identity, PrepareSettings settings)
      throws IOException {
    ResumeState state = new ResumeState(workspace, identity);
    Optional<ResumePoint> latest = state.latest();
    if (latest.isPresent()) {
      Optional<ResumableOutput> resumed =
          resume(workspace, state, identity, settings, latest.get());
      if (resumed.isPresent()) {
        LOG.info(
            "resuming in {} after {} bytes of text",
            workspace.folder(),
            String.format(Locale.ROOT, "%,d", latest.get().output().tally().textBytes()));
        return resumed.get();
      }
      LOG.warn("the unfinished preparation in {} is damaged: starting over", workspace.folder());
    }
    workspace.clear();
    return new ResumableOutput(
        state,
        FinishedInputs.create(workspace.notes()),
        DocumentOutput.create(workspace, identity.tokenizer(), settings),
        null);
  }

  private static Optional<ResumableOutput> resume(
      Workspace workspace,
      ResumeState state,
      PreparationIdentity identity,
      PrepareSettings settings,
      ResumePoint latest)
      throws IOException {
    new RejectLimit(settings.rejectLimit())
        .requireHeld(
            latest.output().tally().rejects(),
            workspace.folder().toString(),
            "in the documents read so far",
            "raise reject_limit, or correct the input and remove this folder to start over");
    state.deleteLaterFiles(latest.output());
    Optional<FinishedInputs> inputs = FinishedInputs.resume(workspace.notes(), latest.files());
    if (inputs.isEmpty()) {
      return Optional.empty();
    }
    Optional<DocumentOutput> documents =
        DocumentOutput.resume(
            workspace,
            identity.tokenizer(),
            settings,
            latest.output(),
            state.pendingFolder(latest.number()));
    if (documents.isEmpty()) {
      inputs.get().close();
    }
    return documents.map(found -> new ResumableOutput(state, inputs.get(), found, latest));
  }

  CorpusOffset start() {
    return start;
  }

  FinishedInputs inputs() {
    return inputs;
  }

  DocumentOutput documents() {
    return documents;
  }

  /** How long the preparation took so far, including earlier attempts. */
  double seconds() {
    return secondsBefore + (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
  }

  boolean hasResumePoint() {
    return numResumePoints > 0;
  }

  /** Saves a resume point. The output must hold every document before the offset. */
  void saveResumePoint(CorpusOffset offset) throws IOException {
    long number = numResumePoints + 1;
    ResumePoint.Output written = documents.sync(state.emptyPendingFolder(number));
    state.write(new ResumePoint(number, offset, inputs.sync(), written, seconds()));
    numResumePoints = number;
  }

  @Override
  public void close() throws IOException {
    try (inputs) {
      documents.close();
    }
  }
}
