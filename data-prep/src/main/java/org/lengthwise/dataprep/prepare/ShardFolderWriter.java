package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.CorpusOffset;
import org.lengthwise.dataprep.source.DocumentReader;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/** Writes a shard folder from a corpus: shards, rejects and manifest. For one folder only. */
final class ShardFolderWriter implements ResumableWriter {

  private static final Logger LOG = LogManager.getLogger(ShardFolderWriter.class);

  private final Corpus corpus;
  private final PrepareRequest request;
  private final Tokenizer tokenizer;
  private final ResumePointSchedule schedule;
  private @Nullable PrepareSummary summary;

  ShardFolderWriter(
      Corpus corpus, PrepareRequest request, Tokenizer tokenizer, ResumePointSchedule schedule) {
    this.corpus = corpus;
    this.request = request;
    this.tokenizer = tokenizer;
    this.schedule = schedule;
  }

  @Override
  public void write(Workspace workspace) throws IOException {
    PreparationIdentity identity =
        new PreparationIdentity(
            BuildInfo.current(),
            Preparation.identity(tokenizer),
            Preparation.settings(request),
            corpus.files());
    try (ResumableOutput output = ResumableOutput.open(workspace, identity, request.settings())) {
      try {
        writeDocuments(output);
        finish(output, identity, workspace.content());
      } catch (IOException | RuntimeException e) {
        if (output.hasResumePoint()) {
          LOG.warn(
              "the unfinished preparation stays in {}: run the same command to resume it, or remove"
                  + " that folder to start over",
              workspace.folder());
        }
        throw e;
      }
    }
  }

  PrepareSummary summary() {
    if (summary == null) {
      throw new IllegalStateException("nothing was written yet");
    }
    return summary;
  }

  private void writeDocuments(ResumableOutput output) throws IOException {
    PrepareSettings settings = request.settings();
    DocumentTokeniser tokeniser = new DocumentTokeniser(tokenizer, settings);
    try (Progress progress = ProgressReporter.start("prepare", "bytes", corpus.numBytes());
        OrderedWorkers workers = new OrderedWorkers(request.numThreads(), tokeniser::fateOf)) {
      corpus.requireUnchanged(output.inputs().entries(), progress::advanceTo);
      CorpusOffset offset = output.start();
      while (offset.file() < corpus.numFiles()) {
        try (DocumentReader reader =
            corpus.open(offset, settings.documentByteLimit(), progress::advanceTo)) {
          writeDocuments(reader, workers, output);
          output.inputs().add(reader.finish());
        }
        offset = CorpusOffset.startOf(offset.file() + 1);
      }
      output.documents().addAll(workers.takeAll());
    }
  }

  private void writeDocuments(DocumentReader reader, OrderedWorkers workers, ResumableOutput output)
      throws IOException {
    for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
      while (!workers.haveRoomFor(raw)) {
        output.documents().addAll(workers.takeOldest());
      }
      workers.submit(raw);
      if (reader.isPastStart() && schedule.isDue()) {
        long begin = schedule.now(); // the wait for the workers is part of a resume point's cost
        output.documents().addAll(workers.takeAll());
        output.saveResumePoint(reader.offset());
        schedule.ended(begin);
      }
    }
  }

  private void finish(ResumableOutput output, PreparationIdentity identity, Path folder)
      throws IOException {
    Map<Split, SplitEntry> splits = output.documents().finish();
    PrepareSummary done = new PrepareSummary(splits, output.documents().tally(), output.seconds());
    Preparation.requireDocuments(request, done);
    new Manifest(
            ShardFormat.VERSION,
            identity.tokenizer(),
            output.inputs().entries(),
            identity.settings(),
            splits,
            done.tally().rejects(),
            done.tally().duplicates(),
            identity.build())
        .write(folder);
    summary = done;
  }
}
