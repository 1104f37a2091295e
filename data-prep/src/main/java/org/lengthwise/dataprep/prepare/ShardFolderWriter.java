package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.prepare.Checkpoint.Counts;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Fills a shard folder from a corpus: shards, rejects and manifest. Good for one folder. */
final class ShardFolderWriter implements ResumableWriter {

  private static final Logger LOG = LogManager.getLogger(ShardFolderWriter.class);

  private final Corpus corpus;
  private final PrepareRequest request;
  private final Tokenizer tokenizer;
  private final CheckpointSchedule schedule;
  private @Nullable PrepareSummary summary;

  ShardFolderWriter(
      Corpus corpus, PrepareRequest request, Tokenizer tokenizer, CheckpointSchedule schedule) {
    this.corpus = corpus;
    this.request = request;
    this.tokenizer = tokenizer;
    this.schedule = schedule;
  }

  @Override
  public void write(Workspace workspace) throws IOException {
    Job job =
        new Job(
            BuildInfo.current(),
            Preparation.identity(tokenizer),
            Preparation.settings(request),
            corpus.files());
    try (Attempt attempt = Attempt.begin(workspace, job, request.settings())) {
      try {
        readAll(attempt);
        finish(attempt, job, workspace.content());
      } catch (IOException | RuntimeException e) {
        if (attempt.hasCheckpoint()) {
          LOG.warn(
              "what was prepared so far stays in {}: the same command goes on from there; remove"
                  + " that folder to start over",
              workspace.folder());
        }
        throw e;
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** What was done; known once the folder is written. */
  PrepareSummary summary() {
    if (summary == null) {
      throw new IllegalStateException("nothing was written yet");
    }
    return summary;
  }

  private void readAll(Attempt attempt) {
    PrepareSettings settings = request.settings();
    DocumentTokeniser tokeniser =
        new DocumentTokeniser(tokenizer, settings.split(), settings.dedup());
    try (Progress progress = ProgressReporter.start("prepare", "bytes", corpus.numBytes());
        OrderedWorkers workers =
            new OrderedWorkers(
                request.numThreads(),
                tokeniser::outcomeOf,
                outcome -> take(outcome, attempt.output()))) {
      corpus.read(
          settings.documentByteLimit(),
          workers,
          attempt.start(),
          List.copyOf(attempt.inputs().entries()),
          new CheckpointingListener(attempt, workers, schedule, progress));
      workers.finish();
    }
  }

  private static void take(Outcome outcome, DocumentOutput output) {
    try {
      output.take(outcome);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void finish(Attempt attempt, Job job, Path folder) throws IOException {
    DocumentOutput output = attempt.output();
    Map<Split, SplitEntry> splits = output.finish();
    Counts counts = output.counts();
    PrepareSummary done =
        new PrepareSummary(
            splits,
            counts.textBytes(),
            output.numRejects(),
            counts.passedOver(),
            counts.duplicates(),
            attempt.seconds());
    Preparation.requireDocuments(request, done);
    new Manifest(
            ShardFormat.VERSION,
            job.tokenizer(),
            attempt.inputs().entries(),
            job.settings(),
            splits,
            done.rejects(),
            done.duplicates(),
            job.build())
        .write(folder);
    summary = done;
  }
}
